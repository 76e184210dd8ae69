import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../../cluster/rest.ts';
import { PODS, TestWatch, podNamed, testServer } from '../test-support.ts';
import type { TestServer } from '../test-support.ts';

let server: TestServer;
before(async () => (server = await testServer()));
after(() => server.close());

async function running(name: string, labels: object, ready = 'True'): Promise<KubeObject> {
  await server.client.create(PODS, podNamed(name, { nodeName: 'n1' }, { labels }));
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] };
  return server.client.patch<KubeObject>(`${PODS}/${name}/status`, { status }, 'strategic');
}

const evict = (name: string, body: object = {}) =>
  server.client.create(`${PODS}/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...body,
  });

test('an eviction marks the Pod first, then deletes it; a budget refuses the next one with 429', async () => {
  const { client } = server;
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const spec = { minAvailable: 1, selector: { matchLabels: { app: 'ev' } } };
  await client.create(budgets, { metadata: { name: 'ev' }, spec });
  await running('ev-1', { app: 'ev' });
  const { metadata } = await running('ev-2', { app: 'ev' });
  const watch = new TestWatch(client, `${PODS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  const answer = await evict('ev-1');
  assert.deepEqual(answer, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
  const marked = await watch.next();
  assert.match(JSON.stringify(marked.object['status']), /"type":"DisruptionTarget".*"reason":"EvictionByEvictionAPI"/);
  assert.equal(marked.object.metadata.deletionTimestamp, undefined);
  assert.ok((await watch.next()).object.metadata.deletionTimestamp);
  watch.stop();
  await assert.rejects(evict('ev-2'), (error: { status: number; reason: string; body: { details: object } }) => {
    assert.deepEqual([error.status, error.reason], [429, 'TooManyRequests']);
    const message = 'The disruption budget ev needs 1 healthy pods and has 1 currently';
    assert.deepEqual(error.body.details, { causes: [{ reason: 'DisruptionBudget', message }] });
    return true;
  });
  assert.equal((await client.get<KubeObject>(`${PODS}/ev-2`)).metadata.deletionTimestamp, undefined);
});

test('an eviction heeds its options, percentages and the Pods that do not count', async () => {
  const { client } = server;
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const spec = { maxUnavailable: '50%', selector: { matchLabels: { app: 'pc' } } };
  await client.create(budgets, { metadata: { name: 'pc' }, spec });
  for (const n of [1, 2, 3]) await running(`pc-${n}`, { app: 'pc' });
  await evict('pc-1', { deleteOptions: { dryRun: ['All'] } });
  assert.equal((await client.get<KubeObject>(`${PODS}/pc-1`)).metadata.deletionTimestamp, undefined);
  await evict('pc-1', { deleteOptions: { gracePeriodSeconds: 7 } });
  const leaving = await client.get<KubeObject>(`${PODS}/pc-1`);
  assert.equal(leaving.metadata.deletionGracePeriodSeconds, 7);
  await evict('pc-2');
  await assert.rejects(evict('pc-3'), { status: 429 });
  await assert.rejects(evict('none'), { status: 404 });
});

test('a binding puts a Pod on a Node once', async () => {
  const { client } = server;
  await client.create(PODS, podNamed('bind'));
  const binding = { metadata: { name: 'bind' }, target: { kind: 'Node', name: 'n1' } };
  await client.create(`${PODS}/bind/binding`, binding);
  const pod = await client.get<KubeObject>(`${PODS}/bind`);
  assert.equal((pod['spec'] as { nodeName: string }).nodeName, 'n1');
  assert.match(JSON.stringify(pod['status']), /"type":"PodScheduled","status":"True"/);
  await assert.rejects(client.create(`${PODS}/bind/binding`, binding), { status: 409 });
});

test('scale reads and sets the replicas', async () => {
  const { client } = server;
  const sets = '/apis/apps/v1/namespaces/default/replicasets';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'm', image: 'i' }] } };
  await client.create(sets, { metadata: { name: 'rs' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
  interface Scale extends KubeObject {
    spec: { replicas: number };
    status: { selector: string };
  }
  const scale = await client.get<Scale>(`${sets}/rs/scale`);
  assert.deepEqual([scale.kind, scale.spec.replicas, scale.status.selector], ['Scale', 1, 'a=b']);
  const more = await client.patch<Scale>(`${sets}/rs/scale`, { spec: { replicas: 3 } });
  assert.equal(more.spec.replicas, 3);
  assert.equal((await client.get<KubeObject>(`${sets}/rs`)).metadata.generation, 2);
  await assert.rejects(client.replace(`${sets}/rs/scale`, { ...more, spec: { replicas: -1 } }), { status: 422 });
});

test('logs of a container and of a kubelet come as text', async () => {
  const { client } = server;
  await client.create(PODS, podNamed('logs', { nodeName: 'n1' }));
  assert.equal(await client.get<unknown>(`${PODS}/logs/log?follow=false&tailLines=2`), 'first line\nsecond line\n');
  await assert.rejects(client.get(`${PODS}/logs/log?container=none`), { status: 400 });
  await assert.rejects(client.get(`${PODS}/logs/log?tailLines=x`), { status: 400 });
  await client.create('/api/v1/nodes', { metadata: { name: 'n1' } });
  assert.equal(await client.get<unknown>('/api/v1/nodes/n1/proxy/logs/kubelet.log'), 'I0101 log line\n');
  await assert.rejects(client.get('/api/v1/nodes/n1/proxy/pods'), { status: 404 });
});

test('reviews answer that the token may do everything', async () => {
  const { client } = server;
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const answer = await client.create<{ status: { allowed: boolean } }>(path, { spec: {} });
  assert.equal(answer.status.allowed, true);
  const tokens = '/apis/authentication.k8s.io/v1/tokenreviews';
  const wrong = await client.create<{ status: object }>(tokens, { spec: { token: 'nobody' } });
  assert.deepEqual(wrong.status, { authenticated: false, error: 'invalid bearer token' });
});
