import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../cluster/rest.ts';
import { PODS, TOKEN, TestWatch, podNamed, testServer } from './test-support.ts';
import type { TestServer } from './test-support.ts';

// Requests as real clients were seen to send them: three routers built on kube-rs, and a picker built on
// controller-runtime.
let server: TestServer;
before(async () => (server = await testServer()));
after(() => server.close());

/** A request with exactly these headers. */
function ask(path: string, headers: http.OutgoingHttpHeaders): Promise<{ type: string; status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      server.plainUrl + path,
      { headers: { authorization: `Bearer ${TOKEN}`, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('end', () =>
          resolve({ type: response.headers['content-type'] ?? '', status: response.statusCode ?? 0, text }),
        );
      },
    );
    request.on('error', reject);
  });
}

test('kube-rs: lists with ?& and no Accept, then watches from that version', async () => {
  const { client } = server;
  await client.create(PODS, podNamed('engine-a', { nodeName: 'n1' }, { labels: { app: 'eng' } }));
  for (const path of [`${PODS}?&limit=500`, '/api/v1/pods?&limit=500', `${PODS}?&limit=500&labelSelector=app%3Deng`]) {
    const answer = await ask(path, {});
    assert.deepEqual([answer.status, answer.type], [200, 'application/json']);
    const list = JSON.parse(answer.text) as { metadata: { resourceVersion: string }; items: KubeObject[] };
    assert.ok(Number(list.metadata.resourceVersion) > 0);
    const [pod] = list.items;
    assert.ok(pod?.metadata.uid && pod.metadata.labels && pod.metadata.namespace === 'default');
    const query = `?&watch=true&timeoutSeconds=290&allowWatchBookmarks=true&resourceVersion=${list.metadata.resourceVersion}`;
    const watch = new TestWatch(client, `${PODS}${query}&labelSelector=app%3Deng`);
    const name = `engine-${list.metadata.resourceVersion}`;
    await client.create(PODS, podNamed(name, { nodeName: 'n1' }, { labels: { app: 'eng' } }));
    assert.equal((await watch.next()).object.metadata.name, name);
    await client.remove(`${PODS}/${name}`);
    const leaving = await watch.next();
    assert.equal(leaving.type, 'MODIFIED');
    assert.ok(leaving.object.metadata.deletionTimestamp);
    await client.remove(`${PODS}/${name}`, { gracePeriodSeconds: 0 });
    watch.stop();
  }
});

const agent = { 'user-agent': 'epp/v0.0.0 (linux/amd64) kubernetes/$Format' };
const json = { ...agent, accept: 'application/json, */*' };
const WATCH_QUERY =
  'allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=483&watch=true';

test('controller-runtime: discovery, in the aggregated form and in the plain one', async () => {
  for (const path of [
    '/apis/llm-d.ai/v1alpha2?timeout=32s',
    '/apis/inference.networking.x-k8s.io/v1alpha2?timeout=32s',
  ]) {
    assert.equal((await ask(path, json)).status, 404);
  }
  const accept =
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';
  for (const path of ['/api', '/apis']) {
    const answer = await ask(path, { ...agent, accept });
    assert.equal(answer.type, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    const { items } = JSON.parse(answer.text) as { items: { versions: { resources: { resource: string }[] }[] }[] };
    assert.ok(items.every((group) => group.versions[0]?.resources[0]?.resource));
  }
  assert.match((await ask('/apis', { accept: 'application/json' })).text, /^\{"kind":"APIGroupList"/);
  assert.match((await ask('/api', {})).text, /^\{"kind":"APIVersions"/);
  assert.match((await ask('/api/v1', json)).text, /"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod"/);
});

test('controller-runtime: asks for protobuf, takes JSON, waits for the annotated bookmark', async () => {
  const watch = new TestWatch(server.client, `${PODS}?${WATCH_QUERY}`, {
    ...agent,
    accept: 'application/vnd.kubernetes.protobuf, */*',
  });
  let event = await watch.next();
  while (event.type === 'ADDED') event = await watch.next();
  assert.equal(event.type, 'BOOKMARK');
  assert.equal(event.object.metadata.annotations?.['k8s.io/initial-events-end'], 'true');
  const version = event.object.metadata.resourceVersion;
  watch.stop();
  // It resumes from the bookmark: what happened meanwhile must be replayed.
  await server.client.create(PODS, podNamed('meanwhile'));
  const resumed = new TestWatch(
    server.client,
    `${PODS}?allowWatchBookmarks=true&resourceVersion=${version}&timeoutSeconds=400&watch=true`,
  );
  assert.equal((await resumed.next()).object.metadata.name, 'meanwhile');
  resumed.stop();
});

test('controller-runtime: reviews of tokens and leases in JSON', async () => {
  const { client } = server;
  const review = await client.create<{ status: { authenticated: boolean } }>(
    '/apis/authentication.k8s.io/v1/tokenreviews',
    { spec: { token: TOKEN } },
  );
  assert.equal(review.status.authenticated, true);
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  await assert.rejects(client.get(`${leases}/epp-default-pool.llm-d.ai?timeout=5s`), { status: 404 });
  const lease = await client.create<KubeObject>(`${leases}?timeout=5s`, {
    metadata: { name: 'epp' },
    spec: { holderIdentity: 'a' },
  });
  const renewed = await client.replace<KubeObject>(`${leases}/epp`, { ...lease, spec: { holderIdentity: 'b' } });
  assert.notEqual(renewed.metadata.resourceVersion, lease.metadata.resourceVersion);
  await assert.rejects(client.replace(`${leases}/epp`, lease), { status: 409 });
});

test('metadata alone is served to clients that ask for it', async () => {
  const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
  const list = JSON.parse((await ask('/api/v1/pods', { accept })).text) as { kind: string; items: KubeObject[] };
  assert.equal(list.kind, 'PartialObjectMetadataList');
  assert.ok(list.items.every((item) => item.kind === 'PartialObjectMetadata' && item['spec'] === undefined));
});
