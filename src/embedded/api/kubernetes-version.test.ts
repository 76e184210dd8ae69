import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../cluster/rest.ts';
import { PODS, podNamed, testServer, type TestServer } from './test-support.ts';

let older: TestServer;
let newer: TestServer;
before(async () => {
  [older, newer] = await Promise.all([testServer({ kubernetes: '1.28' }), testServer()]);
});
after(() => Promise.all([older.close(), newer.close()]));

const init = { name: 'side', image: 'quiesce/pause:1', restartPolicy: 'Always' };
type Told = KubeObject & { spec: { initContainers: { restartPolicy?: string }[] } };

test('each server says which Kubernetes it is', async () => {
  const of = async ({ client }: TestServer) => (await client.get<{ gitVersion: string }>('/version')).gitVersion;
  assert.deepEqual(await Promise.all([of(older), of(newer)]), ['v1.28.15', 'v1.34.4']);
});

test('below 1.29 a sidecar is an init container like any other: the field goes', async () => {
  const pod = podNamed('with-side', { initContainers: [init] });
  const kept = await newer.client.create<Told>(PODS, pod);
  const dropped = await older.client.create<Told>(PODS, pod);
  assert.equal(kept.spec.initContainers[0]?.restartPolicy, 'Always');
  assert.equal(dropped.spec.initContainers[0]?.restartPolicy, undefined);
});

test('and what only a sidecar may have is refused', async () => {
  const probed = podNamed('probed', { initContainers: [{ ...init, livenessProbe: { tcpSocket: { port: 1 } } }] });
  await newer.client.create(PODS, probed);
  await assert.rejects(older.client.create(PODS, probed), /may not be set for init containers without restartPolicy/);
});
