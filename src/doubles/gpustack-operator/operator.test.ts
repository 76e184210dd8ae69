import { test } from 'node:test';
import assert from 'node:assert/strict';
import { graceOf, replicaReady, roleOf } from '../../systems/gpustack/readers.ts';
import { type Lab, labs } from './lab.testing.ts';
import { holds } from './snapshot.ts';

const lab = labs('case');

const grace = (value: number, role = 0) => [
  { op: 'add', path: `/spec/roles/${role}/terminationGracePeriodSeconds`, value },
];
const uids = (l: Lab) => l.pods.map((pod) => pod.metadata.uid ?? '');

test('a deployment becomes Pods, Services, Workloads and a router, and the status says when it is ready', async () => {
  const l = await lab.open();
  await l.create('md', [{ name: 'worker', replicas: 2 }], { router: { extraArgs: ['--policy', 'round_robin'] } });
  l.start();
  const status = await l.settled('md');
  assert.equal(status.endpoint, undefined, 'the router is not ready yet');
  assert.equal(status.roleSummary, '1R2S');
  assert.deepEqual(status.roles, [
    {
      ...{ name: 'worker', kind: 'Server', desired: 2, ready: 2, quotaReserved: 2, unmanaged: false },
      endpoints: { eligible: 2, serving: { state: 'Unknown' } },
    },
  ]);
  assert.deepEqual(l.pods.map((pod) => roleOf(pod)?.ordinal).sort(), [0, 1]);
  assert.ok(l.pods.every((pod) => /^md-worker-.{5}$/.test(pod.metadata.name)));
  const workloads = await l.workloads();
  assert.deepEqual(workloads.map((w) => w.metadata.ownerReferences?.[0]?.uid).sort(), uids(l).sort());
  const services = await l.client.list(`/api/v1/namespaces/${l.ns}/services`);
  assert.deepEqual(services.map((s) => s.metadata.name).sort(), ['md', 'md-router', 'md-worker']);
  const router = `/apis/apps/v1/namespaces/${l.ns}/deployments/md-router`;
  await l.client.patch(`${router}/status`, { status: { replicas: 1, readyReplicas: 1 } });
  const ready = await l.status('md', (s) => typeof s.endpoint === 'string');
  assert.equal(ready.endpoint, `http://md-router.${l.ns}.svc:8081`);
  await l.edit('md', [{ op: 'replace', path: '/spec/router/replicas', value: 3 }]);
  await l.until('router of 3', async () => {
    const { spec } = await l.client.get<{ spec: { replicas: number } }>(router);
    return spec.replicas === 3;
  });
  assert.equal(l.left.length, 0, "a router's edit turns no replica over");
});

test('an edit of the grace turns the role over, one by one, each Pod with the grace it was created with', async () => {
  const l = await lab.open();
  await l.create('md', [
    { name: 'a', replicas: 3, terminationGracePeriodSeconds: 20 },
    { name: 'b', replicas: 1 },
  ]);
  l.start();
  await l.settled('md');
  const before = uids(l);
  const roleB = l.pods.find((pod) => roleOf(pod)?.role === 'b')?.metadata.uid ?? '';
  l.hold = true;
  await l.edit('md', grace(40));
  for (let n = 1; n <= 3; n += 1) {
    await l.until(`departure ${n}`, () => l.left.length >= n);
    assert.equal(l.pods.filter((pod) => pod.metadata.deletionTimestamp).length, 1);
    assert.equal(l.pods.length, 4, 'no replacement while the former is there');
    await l.letGo();
  }
  l.hold = false;
  await l.settled('md', 2);
  assert.equal(l.left.length, 3);
  assert.ok(!l.left.includes(roleB));
  assert.deepEqual(
    l.departures.map((pod) => [graceOf(pod), pod.metadata.deletionGracePeriodSeconds]),
    [
      [20, 20],
      [20, 20],
      [20, 20],
    ],
  );
  assert.deepEqual(
    l.departures.map((pod) => roleOf(pod)?.ordinal),
    [2, 1, 0],
  );
  assert.deepEqual(l.pods.filter((pod) => roleOf(pod)?.role === 'a').map(graceOf), [40, 40, 40]);
  assert.equal(uids(l).filter((uid) => before.includes(uid)).length, 1);
});

test('writing 30 on a role that set none turns nothing over; a later edit does', async () => {
  const l = await lab.open();
  await l.create('md', [{ name: 'a', replicas: 1 }]);
  l.start();
  await l.settled('md');
  await l.settled('md', await l.edit('md', grace(30)));
  assert.equal(l.left.length, 0);
  const env = { op: 'add', path: '/spec/roles/0/env', value: [{ name: 'A', value: 'b' }] };
  const generation = await l.edit('md', [env]);
  await l.until('turnover', () => l.left.length === 1 && l.pods.length === 1 && replicaReady(l.pods[0]!));
  await l.settled('md', generation);
});

test('a Pod that somebody deletes is replaced once it is gone, under a new Workload', async () => {
  const l = await lab.open();
  await l.create('md', [{ name: 'a', replicas: 2 }]);
  l.start();
  await l.settled('md');
  const [victim] = l.pods;
  const workload = async () =>
    (await l.workloads()).find((w) => w.metadata.ownerReferences?.[0]?.uid === victim?.metadata.uid);
  const old = await workload();
  l.hold = true;
  await l.client.remove(`/api/v1/namespaces/${l.ns}/pods/${victim?.metadata.name}`);
  await l.status('md', (s) => s.phase === 'Degraded');
  assert.equal(l.pods.length, 2);
  assert.ok(holds(await workload(), 'QuotaReserved'), 'quota is kept while the Pod leaves');
  await l.letGo();
  l.hold = false;
  await l.settled('md');
  assert.equal(l.left.length, 1);
  assert.ok(!(await l.workloads()).some((w) => w.metadata.uid === old?.metadata.uid));
});

test('more replicas come', async () => {
  const l = await lab.open();
  await l.create('md', [{ name: 'a', replicas: 1 }]);
  l.start();
  await l.settled('md');
  await l.settled('md', await l.edit('md', [{ op: 'replace', path: '/spec/roles/0/replicas', value: 3 }]));
  assert.equal(l.pods.length, 3);
});

const twoDeployments = async (faults: Parameters<Lab['start']>[0] = []) => {
  const l = await lab.open({ 'quiesce.dev/quota': '2' });
  await l.create('first', [{ name: 'a', replicas: 1, accelerators: 2 }]);
  l.start(faults);
  await l.settled('first');
  await l.create('second', [{ name: 'a', replicas: 1, accelerators: 2 }]);
  await l.status('second', (s) => s.conditions?.some((c) => c.reason === 'WaitingForQuota') ?? false);
  assert.equal(l.pods.length, 1);
  l.hold = true;
  await l.client.remove(`/api/v1/namespaces/${l.ns}/pods/${l.pods[0]?.metadata.name}`);
  await l.until('departure', () => l.left.length === 1);
  return l;
};

test('quota is free when the Pod that held it is gone, and goes to who waited longest', async () => {
  const l = await twoDeployments();
  await l.status('first', (s) => s.phase === 'Degraded');
  assert.equal(l.pods.length, 1);
  await l.letGo();
  await l.settled('second');
  assert.deepEqual(
    l.pods.map((pod) => roleOf(pod)?.deployment),
    ['second'],
  );
});

test('the fault quota-released-at-delete lets the next one in while the former still leaves', async () => {
  const l = await twoDeployments(['quota-released-at-delete']);
  await l.until('second Pod beside the leaving one', () => l.pods.length === 2);
});

test('a refused deployment is left alone and the status says why', async () => {
  const l = await lab.open();
  await l.create('md', [{ name: 'a', replicas: 1, ports: [{ port: 8100 }], extraArgs: ['--port', '8200'] }]);
  l.start();
  const status = await l.status('md', (s) => s.observedGeneration === 1);
  assert.equal(status.phaseMessage, 'role a: --port 8200 differs from the first declared port 8100');
  assert.equal(l.pods.length, 0);
});
