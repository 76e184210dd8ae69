import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../cluster/rest.ts';
import { PODS, TestWatch, podNamed, testServer } from './test-support.ts';
import type { TestServer } from './test-support.ts';

let server: TestServer;
before(async () => (server = await testServer({ historyLimit: 20 })));
after(() => server.close());

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string, labels: Record<string, string> = {}) => ({ metadata: { name, labels } });
const seen = ({ type, object }: { type: string; object: KubeObject }) => `${type} ${object.metadata.name}`;

test('a watch without a version starts with what there is', async () => {
  const { client } = server;
  await client.create(MAPS, map('first'));
  const watch = new TestWatch(client, `${MAPS}?watch=true`);
  assert.equal(seen(await watch.next()), 'ADDED first');
  await client.create(MAPS, map('second'));
  assert.equal(seen(await watch.next()), 'ADDED second');
  await client.remove(`${MAPS}/first`);
  assert.equal(seen(await watch.next()), 'DELETED first');
  watch.stop();
});

test('a watch from a version replays what happened since', async () => {
  const { client } = server;
  const { metadata } = await client.create<KubeObject>(MAPS, map('replayed'));
  await client.patch(`${MAPS}/replayed`, { data: { a: '1' } });
  await client.remove(`${MAPS}/replayed`);
  const watch = new TestWatch(client, `${MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`);
  assert.equal(seen(await watch.next()), 'MODIFIED replayed');
  assert.equal(seen(await watch.next()), 'DELETED replayed');
  watch.stop();
});

test('an object that comes to match a selector is ADDED, one that ceases to is DELETED', async () => {
  const { client } = server;
  const watch = new TestWatch(client, `${MAPS}?watch=true&labelSelector=team%3Da,tier!%3Ddb`);
  await client.create(MAPS, map('other', { team: 'b' }));
  await client.create(MAPS, map('mine'));
  await client.patch(`${MAPS}/mine`, { metadata: { labels: { team: 'a' } } });
  assert.equal(seen(await watch.next()), 'ADDED mine');
  await client.patch(`${MAPS}/mine`, { data: { x: 'y' } });
  assert.equal(seen(await watch.next()), 'MODIFIED mine');
  const changed = await client.patch<KubeObject>(`${MAPS}/mine`, { metadata: { labels: { tier: 'db' } } });
  const lost = await watch.next();
  assert.equal(seen(lost), 'DELETED mine');
  assert.equal(lost.object.metadata.resourceVersion, changed.metadata.resourceVersion);
  assert.equal(lost.object.metadata.labels?.['tier'], undefined);
  watch.stop();
});

test('sendInitialEvents ends with the annotated bookmark', async () => {
  const { client } = server;
  const path = '/api/v1/namespaces/default/secrets';
  await client.create(path, map('only'));
  const query =
    'allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=500&watch=true';
  const watch = new TestWatch(client, `${path}?${query}`, { accept: 'application/vnd.kubernetes.protobuf, */*' });
  assert.equal(seen(await watch.next()), 'ADDED only');
  const end = await watch.next();
  assert.equal(end.type, 'BOOKMARK');
  assert.deepEqual(end.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
  await client.create(path, map('later'));
  assert.equal(seen(await watch.next()), 'ADDED later');
  watch.stop();
  const bare = client.get(`${path}?watch=true&sendInitialEvents=true`);
  await assert.rejects(bare, { status: 422, reason: 'Invalid' });
});

test('a version that is no longer remembered is 410 in the stream', async () => {
  const { client } = server;
  const { metadata } = await client.create<KubeObject>(MAPS, map('busy'));
  for (let n = 0; n < 45; n += 1) await client.patch(`${MAPS}/busy`, { data: { n: String(n) } });
  const watch = new TestWatch(client, `${MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  const error = (await watch.next()) as unknown as { type: string; object: { code: number; reason: string } };
  assert.deepEqual([error.type, error.object.code, error.object.reason], ['ERROR', 410, 'Expired']);
  watch.stop();
});

test('a watch ends after its timeout', async () => {
  const request = server.client.open('GET', `${MAPS}?watch=true&timeoutSeconds=1`, {}, false);
  const ended = new Promise((resolve) => request.on('response', (r) => r.resume().on('end', resolve)));
  request.end();
  await ended;
});

test('a list comes in pieces that all show the same version', async () => {
  const { client } = server;
  const path = '/api/v1/namespaces/default/serviceaccounts';
  for (const name of ['a', 'b', 'c', 'd', 'e']) await client.create(path, { metadata: { name } });
  interface Page {
    metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
    items: KubeObject[];
  }
  const first = await client.get<Page>(`${path}?limit=2`);
  assert.equal(first.metadata.remainingItemCount, 3);
  await client.remove(`${path}/c`);
  const second = await client.get<Page>(`${path}?limit=2&continue=${first.metadata.continue}`);
  const third = await client.get<Page>(`${path}?limit=2&continue=${second.metadata.continue}`);
  const names = [first, second, third].flatMap((page) => page.items.map((item) => item.metadata.name));
  assert.deepEqual(names, ['a', 'b', 'c', 'd', 'e']);
  assert.equal(third.metadata.continue, undefined);
  assert.equal(third.metadata.resourceVersion, first.metadata.resourceVersion);
  await assert.rejects(client.get(`${path}?limit=2&continue=unknown`), { status: 410, reason: 'Expired' });
});

test('lists ask for versions as Kubernetes lets them', async () => {
  const { client } = server;
  await client.get(`${MAPS}?resourceVersion=0`);
  await client.get(`${MAPS}?resourceVersion=1&resourceVersionMatch=NotOlderThan`);
  await assert.rejects(client.get(`${MAPS}?resourceVersion=1&resourceVersionMatch=Exact`), { status: 410 });
  await assert.rejects(client.get(`${MAPS}?resourceVersion=99999999`), { status: 504, reason: 'Timeout' });
  await assert.rejects(client.get(`${MAPS}?resourceVersion=abc`), { status: 400 });
});

test('field selectors of Pods, Events and Nodes select', async () => {
  const { client } = server;
  await client.create(PODS, podNamed('on-n1', { nodeName: 'n1' }));
  await client.create(PODS, podNamed('on-none'));
  const names = async (path: string) => (await client.list(path)).map((o) => o.metadata.name);
  assert.deepEqual(await names('/api/v1/pods?fieldSelector=spec.nodeName%3Dn1'), ['on-n1']);
  assert.deepEqual(await names('/api/v1/pods?fieldSelector=spec.nodeName%3D,status.phase!%3DRunning'), ['on-none']);
  assert.deepEqual(await names(`${PODS}?fieldSelector=metadata.name==on-n1`), ['on-n1']);
  const event = {
    metadata: { name: 'e1' },
    involvedObject: { kind: 'Pod', name: 'on-n1', uid: 'u' },
    reason: 'Killing',
  };
  await client.create('/api/v1/namespaces/default/events', event);
  const selector = 'involvedObject.name%3Don-n1,involvedObject.uid%3Du,reason%3DKilling,type%3DNormal';
  assert.deepEqual(await names(`/api/v1/events?fieldSelector=${selector}`), ['e1']);
  const [seenAs] = await client.list<KubeObject>('/apis/events.k8s.io/v1/events');
  assert.deepEqual(seenAs?.['regarding'], event.involvedObject);
  await client.create('/api/v1/nodes', { metadata: { name: 'n1' } });
  assert.deepEqual(await names('/api/v1/nodes?fieldSelector=spec.unschedulable%3Dfalse'), ['n1']);
});
