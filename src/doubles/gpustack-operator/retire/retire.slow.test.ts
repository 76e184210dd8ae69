import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { reasons, abortCauses } from '../../../requirements/retirement-reasons.ts';
import { openBench, SCALE, type Bench } from './bench.testing.ts';
import { pages, RetireLab } from './lab.testing.ts';

let bench: Bench;
let count = 0;
const labs: RetireLab[] = [];

before(async () => {
  bench = await openBench();
});
after(async () => {
  await Promise.all(labs.map((lab) => lab.close()));
  await bench.close();
});

async function open(): Promise<RetireLab> {
  const opened = await RetireLab.open(bench, `retire-${(count += 1)}`);
  labs.push(opened);
  return opened;
}

test('a lower replicas withdraws, drains and deletes the highest ordinal, through every state', async () => {
  const l = await open();
  l.start();
  await l.deploy('md', [{ name: 'a', replicas: 3 }]);
  const [victim] = l.pods('a', 2);
  const before = (await l.lab.workloads()).length;
  await l.replicas('md', 2);
  await l.until('md', 'admitted', () => true);
  await l.ended('md');
  assert.deepEqual(l.states, ['Admitted', 'Disqualified', 'Withdrawing', 'Draining', 'Deleting', 'Settling', 'none']);
  assert.deepEqual(l.lab.left, [victim?.metadata.uid]);
  assert.equal(l.engineOf(victim!).reads, 2, 'two reads, and none after them');
  assert.deepEqual(
    bench.execs.filter((e) => e.pod === victim?.metadata.name).map((e) => [e.container, e.command]),
    Array.from({ length: 2 }, () => [
      'main',
      ['member-read', '--scheme', 'http', '--port', '8000', '--timeout', '2', '--max-bytes', '1048576'],
    ]),
  );
  assert.equal((await l.lab.workloads()).length, before - 1);
  const told = l.told.filter((r) => r !== null);
  assert.ok(told.every((r) => r.targetMemberUIDs[0] === victim?.metadata.uid && r.replicaOrdinal === 2));
  const order = told.map(({ reason }) => reason);
  for (const reason of [reasons.admitted, reasons.leftSelection, reasons.withdrawn, reasons.draining, reasons.deleting])
    assert.ok(order.includes(reason), reason);
  const { metadata } = await l.lab.deployment('md');
  assert.equal(metadata.annotations?.['modeldeployment.gpustack.ai/retirement-release'], undefined);
  await l.lab.settled('md', 2);
  assert.equal(l.lab.pods.length, 2);
});

test('work holds the target, still counted, until it ends; then it is deleted within the same operation', async () => {
  const l = await open();
  l.start();
  await l.deploy('md', [{ name: 'a', replicas: 2 }]);
  const [victim] = l.pods('a', 1);
  const engine = await l.serve(victim!, [pages.busy]);
  await l.replicas('md', 1);
  const held = await l.until('md', 'held', (r) => / in flight$/.test(r.reason));
  assert.equal(held.state, 'Draining');
  assert.equal(held.reason, `member ${victim?.metadata.name} still holds 3 in flight`);
  const status = await l.lab.status('md', (s) => s.roleSummary === '1R2S');
  assert.deepEqual([status.roles?.[0]?.ready, status.roles?.[0]?.quotaReserved, status.roles?.[0]?.desired], [2, 2, 1]);
  assert.equal(l.lab.left.length, 0);
  engine.pages = [pages.idle];
  await l.ended('md');
  assert.deepEqual(l.lab.left, [victim?.metadata.uid]);
  assert.equal(new Set(l.told.filter((r) => r !== null).map((r) => r.startedAt)).size, 1);
});

test('a second read that finds work holds it', async () => {
  const l = await open();
  l.start();
  await l.deploy('md', [{ name: 'a', replicas: 2 }]);
  const [victim] = l.pods('a', 1);
  const engine = await l.serve(victim!, [pages.idle, pages.of(0, 1)]);
  await l.replicas('md', 1);
  await l.until('md', 'held', (r) => r.reason.endsWith('still holds 1 in flight'));
  assert.ok(engine.reads >= 2);
  assert.equal(l.lab.left.length, 0);
});

test('without a router it is held, aborts at 30 s and keeps everything; eligible again, no connection observed', async () => {
  const l = await open();
  l.start();
  await l.deploy('md', [{ name: 'a', replicas: 2 }], {}, '');
  const uids = l.lab.pods.map((pod) => pod.metadata.uid);
  await l.replicas('md', 1);
  const held = await l.until('md', 'held', (r) => r.reason === reasons.noRouter);
  const ended = await l.until('md', 'aborted', (r) => r.state === 'Aborted');
  const took = ((Date.parse(ended.deadline) - Date.parse(held.startedAt)) / 1000) * SCALE;
  assert.ok(took >= 30 && took < 35, `${took} s`);
  assert.equal(ended.reason, `${abortCauses.noRouter}; members, workload and capacity are retained`);
  assert.equal(ended.phaseStartedAt, held.startedAt);
  assert.deepEqual(
    l.lab.pods.map((pod) => pod.metadata.uid),
    uids,
  );
  assert.equal((await l.lab.workloads()).length, 2);
  await l.lab.status('md', (s) => s.roles?.[0]?.endpoints?.eligible === 2);
});
