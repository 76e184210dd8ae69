import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../cluster/rest.ts';
import { PODS, TestWatch, podNamed, testServer } from './test-support.ts';
import type { TestServer } from './test-support.ts';

// The clock of these tests stands still, half a second into a second, so that times can be told exactly.
const at = Date.parse('2026-11-30T04:53:00.582Z');
let now = at;
let server: TestServer;
before(async () => (server = await testServer({ now: () => now })));
after(() => server.close());

const seconds = (iso: string | undefined) => (Date.parse(iso ?? '') - Date.parse('2026-11-30T04:53:00Z')) / 1000;

async function bound(name: string, spec: object = {}): Promise<KubeObject> {
  now = at;
  return server.client.create<KubeObject>(PODS, podNamed(name, { nodeName: 'n1', ...spec }));
}

test('a delete sets the deletionTimestamp to now plus the grace, cut to seconds', async () => {
  await bound('graceful', { terminationGracePeriodSeconds: 45 });
  const { metadata } = await server.client.remove<KubeObject>(`${PODS}/graceful`);
  assert.equal(seconds(metadata.deletionTimestamp), 45);
  assert.equal(metadata.deletionGracePeriodSeconds, 45);
  assert.equal(metadata.generation, 2);
});

test('a second delete may only shorten the grace, counted from the first delete', async () => {
  await bound('twice');
  await server.client.remove(`${PODS}/twice`);
  now = at + 5000;
  const longer = await server.client.remove<KubeObject>(`${PODS}/twice`, { gracePeriodSeconds: 60 });
  assert.equal(longer.metadata.deletionGracePeriodSeconds, 30);
  const shorter = await server.client.remove<KubeObject>(`${PODS}/twice?gracePeriodSeconds=10`);
  assert.equal(shorter.metadata.deletionGracePeriodSeconds, 10);
  assert.equal(seconds(shorter.metadata.deletionTimestamp), 10);
});

test('a Pod without a Node, and one that is over, go at once', async () => {
  const { client } = server;
  await client.create(PODS, podNamed('unbound'));
  await client.remove(`${PODS}/unbound`);
  await assert.rejects(client.get(`${PODS}/unbound`), { status: 404 });
  await bound('over');
  await client.patch(`${PODS}/over/status`, { status: { phase: 'Succeeded' } });
  await client.remove(`${PODS}/over`);
  await assert.rejects(client.get(`${PODS}/over`), { status: 404 });
});

test("the kubelet's last delete shows as MODIFIED with grace 0, then DELETED", async () => {
  const { client } = server;
  const pod = await bound('last');
  const marked = await client.remove<KubeObject>(`${PODS}/last`);
  const watch = new TestWatch(client, `${PODS}?watch=true&resourceVersion=${marked.metadata.resourceVersion}`);
  const wrong = client.remove(`${PODS}/last`, { gracePeriodSeconds: 0, preconditions: { uid: 'other' } });
  await assert.rejects(wrong, { status: 409, reason: 'Conflict' });
  await client.remove(`${PODS}/last`, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } });
  const modified = await watch.next();
  assert.equal(modified.type, 'MODIFIED');
  assert.equal(modified.object.metadata.deletionGracePeriodSeconds, 0);
  assert.equal(seconds(modified.object.metadata.deletionTimestamp), 0);
  const deleted = await watch.next();
  assert.equal(deleted.type, 'DELETED');
  assert.equal(Number(deleted.object.metadata.resourceVersion), Number(modified.object.metadata.resourceVersion) + 1);
  watch.stop();
});

test('finalizers hold an object until the last one goes', async () => {
  const { client } = server;
  const path = '/api/v1/namespaces/default/configmaps';
  await client.create(path, { metadata: { name: 'held', finalizers: ['a.b/one', 'a.b/two'] } });
  const held = await client.remove<KubeObject>(`${path}/held`);
  assert.ok(held.metadata.deletionTimestamp);
  const patch = { metadata: { finalizers: ['a.b/new', 'a.b/one', 'a.b/two'] } };
  await assert.rejects(client.patch(`${path}/held`, patch), { status: 422, reason: 'Invalid' });
  await client.patch(`${path}/held`, { metadata: { finalizers: ['a.b/two'] } });
  await client.get(`${path}/held`);
  await client.patch(`${path}/held`, { metadata: { finalizers: null } });
  await assert.rejects(client.get(`${path}/held`), { status: 404 });
});

test('a Pod with a finalizer survives the last delete until the finalizer goes', async () => {
  const { client } = server;
  now = at;
  await client.create(PODS, podNamed('managed', { nodeName: 'n1' }, { finalizers: ['kueue.x-k8s.io/managed'] }));
  await client.remove(`${PODS}/managed`);
  const last = await client.remove<KubeObject>(`${PODS}/managed`, { gracePeriodSeconds: 0 });
  assert.equal(last.metadata.deletionGracePeriodSeconds, 0);
  await client.patch(`${PODS}/managed`, { metadata: { finalizers: [] } });
  await assert.rejects(client.get(`${PODS}/managed`), { status: 404 });
});

test('a propagation policy becomes a finalizer, dryRun changes nothing, a collection goes by its selector', async () => {
  const { client } = server;
  const path = '/api/v1/namespaces/default/secrets';
  for (const name of ['s1', 's2', 's3']) await client.create(path, { metadata: { name, labels: { name } } });
  await client.remove(`${path}/s1?dryRun=All`);
  const foreground = await client.remove<KubeObject>(`${path}/s1`, { propagationPolicy: 'Foreground' });
  assert.deepEqual(foreground.metadata.finalizers, ['foregroundDeletion']);
  await client.remove(`${path}?labelSelector=name%20in%20(s2,s3)`);
  assert.deepEqual(
    (await client.list(path)).map((s) => s.metadata.name),
    ['s1'],
  );
  await assert.rejects(client.remove(`${path}/s1`, { propagationPolicy: 'Sideways' }), { status: 422 });
});

test('a Namespace stays Terminating, takes nothing new, and goes when it is finalized', async () => {
  const { client } = server;
  await client.create('/api/v1/namespaces', { metadata: { name: 'leaving' } });
  const leaving = await client.remove<KubeObject>('/api/v1/namespaces/leaving');
  assert.deepEqual(leaving['status'], { phase: 'Terminating' });
  const late = client.create('/api/v1/namespaces/leaving/configmaps', { metadata: { name: 'late' } });
  await assert.rejects(late, { status: 403, reason: 'Forbidden' });
  await client.replace('/api/v1/namespaces/leaving/finalize', {
    metadata: { name: 'leaving' },
    spec: { finalizers: [] },
  });
  await assert.rejects(client.get('/api/v1/namespaces/leaving'), { status: 404 });
});

test('namespaces are not deleted as a collection', async () => {
  await assert.rejects(server.client.remove('/api/v1/namespaces'), { status: 405 });
});
