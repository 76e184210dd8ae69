import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { MemoryRecorder } from '../load/memory-recorder.ts';
import { KubeError } from './errors.ts';
import { coreKinds, nodeKind, recordWatches, WATCH_LAG_MS } from './recorded-watch.ts';
import { FakeCollection } from './watch.testing.ts';

async function recording(t: TestContext, fake = new FakeCollection()) {
  const client = await fake.start();
  const recorder = new MemoryRecorder();
  const watches = await recordWatches(client, [{ kind: 'Pod', path: fake.path }], recorder);
  t.after(async () => {
    watches.stop();
    client.close();
    await fake.stop();
  });
  await recorder.until('watch.opened');
  return { fake, recorder, watches };
}

test('objects are recorded with kind and instant, and without the book-keeping of their writers', async (t) => {
  const { fake, recorder } = await recording(t);
  fake.put('a', { spec: { nodeName: 'n' } });
  fake.put('a');
  fake.remove('a');
  const deleted = await recorder.until('object.deleted');
  assert.deepEqual(
    recorder.events.map(({ kind }) => kind),
    ['watch.opened', 'object.added', 'object.modified', 'object.deleted'],
  );
  const [added] = recorder.of('object.added');
  assert.equal(added?.subject, 'Pod/ns/a');
  assert.deepEqual(added?.data.object, {
    kind: 'Pod',
    spec: { nodeName: 'n' },
    metadata: { name: 'a', namespace: 'ns', uid: 'uid-a', resourceVersion: '101' },
  });
  assert.ok(deleted.at[1] - deleted.at[0] >= WATCH_LAG_MS);
});

test('managedFields are left out', async (t) => {
  const { fake, recorder } = await recording(t);
  const metadata = {
    name: 'm',
    namespace: 'ns',
    uid: 'm',
    resourceVersion: '900',
    managedFields: [{ manager: 'kubectl' }],
  };
  fake.raw(`${JSON.stringify({ type: 'ADDED', object: { metadata } })}\n`);
  const { data } = await recorder.until('object.added');
  assert.deepEqual(data.object.metadata, { name: 'm', namespace: 'ns', uid: 'm', resourceVersion: '900' });
});

test('an API server that goes away in mid-run leaves a gap, and what it hid begins with it', async (t) => {
  const { fake, recorder } = await recording(t);
  await fake.stop();
  fake.put('hidden');
  await fake.start();
  const { at } = await recorder.until('object.added');
  const [gap] = recorder.of('watch.gap');
  assert.ok(gap && gap.data.from <= gap.data.to);
  assert.ok(at[0] <= gap.data.from && at[1] >= gap.data.to);
  assert.equal(recorder.of('watch.opened').length, 2);
});

test('the end of a window asks whether all was told', async (t) => {
  const { fake, recorder, watches } = await recording(t);
  fake.deaf = true;
  fake.put('hidden');
  await watches.settle();
  assert.equal(recorder.of('object.added')[0]?.subject, 'Pod/ns/hidden');
  assert.match(recorder.of('watch.gap')[0]?.data.reason ?? '', /^deaf/);
  assert.equal(recorder.of('watch.relisted')[0]?.data.missed, 1);
});

test('a collection that cannot be listed is an error with the last answer', async (t) => {
  const fake = new FakeCollection();
  fake.status = 403;
  const client = await fake.start();
  t.after(async () => {
    client.close();
    await fake.stop();
  });
  const kinds = [{ kind: 'Pod', path: fake.path }];
  await assert.rejects(recordWatches(client, kinds, new MemoryRecorder(), 200), (error) => {
    return error instanceof KubeError && error.status === 403;
  });
});

test('the kinds of a namespace and of one node', () => {
  assert.deepEqual(
    coreKinds('ns').map(({ kind }) => kind),
    ['Pod', 'Event', 'EndpointSlice', 'Deployment'],
  );
  assert.equal(nodeKind('n-1').path, '/api/v1/nodes?fieldSelector=metadata.name%3Dn-1');
});
