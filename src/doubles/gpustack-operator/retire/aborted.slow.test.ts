import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { abortCauses, reasons } from '../../../requirements/retirement-reasons.ts';
import { annotations } from '../../../systems/gpustack/names.ts';
import type { RetirementFault } from '../faults.ts';
import { bench } from './bench-case.testing.ts';
import { pages, type RetireLab } from './lab.testing.ts';

const { open } = bench('aborted');

/** Fast enough that 240 documented seconds are some of the wall, slow enough that a read is far from it. */
const FAST = { factor: 60 };

/** A deployment without a router whose scale-down to one replica was aborted. */
async function aborted(faults: RetirementFault[] = [], replicas = 2): Promise<RetireLab> {
  const l = await open();
  l.start(faults, FAST);
  await l.deploy('md', [{ name: 'a', replicas }], {}, '');
  await l.replicas('md', replicas - 1);
  await l.until('md', 'aborted', (r) => r.state === 'Aborted');
  return l;
}

const retry = (l: RetireLab, text: string) =>
  l.lab.edit('md', [{ op: 'add', path: '/metadata/annotations', value: { [annotations.retirementRetry]: text } }]);
const directive = async (l: RetireLab) =>
  (await l.lab.deployment('md')).metadata.annotations?.[annotations.retirementRetry];

describe('what becomes of an aborted retirement', { concurrency: 3 }, () => {
  test('a retry directive takes it up, and its token is consumed before the annotation goes', async () => {
    const l = await aborted();
    const before = l.told.at(-1)!;
    await retry(l, 'a:1:first');
    const again = await l.until('md', 'retried', (r) => r.lastConsumedRetryToken === 'first');
    await l.lab.until('the annotation gone', async () => (await directive(l)) === undefined);
    assert.ok(Date.parse(again.startedAt) > Date.parse(before.startedAt));
    const taken = l.told.find((r) => r?.lastConsumedRetryToken === 'first');
    assert.deepEqual([taken?.state, taken?.reason], ['Admitted', reasons.retried]);
    const ended = await l.until('md', 'aborted again', (r) => r.state === 'Aborted');
    await retry(l, 'a:1:first');
    await l.lab.until('the annotation gone', async () => (await directive(l)) === undefined);
    assert.deepEqual(await l.until('md', 'still', () => true), ended);
    assert.equal(l.lab.left.length, 0);
  });

  for (const text of ['a:1', 'a:1:', ':1:t', 'a:x:t', 'a:-1:t', 'a:1:t:u', '', 'a:0:t', 'b:1:t']) {
    test(`the directive ${JSON.stringify(text)} is left where it is`, async () => {
      const l = await aborted();
      const before = await l.until('md', 'aborted', () => true);
      await retry(l, text);
      // A change of the same deployment proves that it was looked at.
      await l.lab.settled(
        'md',
        await l.lab.edit('md', [{ op: 'add', path: '/spec/roles/0/ports', value: [{ port: 8000 }] }]),
      );
      assert.deepEqual(await l.until('md', 'still', () => true), before);
      assert.equal(await directive(l), text);
    });
  }

  test('a spec that asks for the replica again adopts it, the same Pods', async () => {
    const l = await aborted();
    const uids = l.lab.pods.map((pod) => pod.metadata.uid);
    await l.replicas('md', 2);
    await l.ended('md');
    assert.deepEqual(
      l.lab.pods.map((pod) => pod.metadata.uid),
      uids,
    );
    assert.equal(l.lab.left.length, 0);
  });

  test('the target ended by another hand clears it', async () => {
    const l = await aborted();
    await l.lab.client.remove(`/api/v1/namespaces/${l.lab.ns}/pods/${l.pods('a', 1)[0]?.metadata.name}`);
    await l.ended('md');
    await l.lab.until('its Workload gone', async () => (await l.lab.workloads()).length === 1);
    assert.equal(l.lab.pods.length, 1);
  });

  test('a later edit that takes something else away goes on; as implemented it does not', async () => {
    const l = await aborted([], 3);
    await l.replicas('md', 1);
    await l.until('md', 'the next one', (r) => r.replicaOrdinal === 1);
    const blocked = await aborted(['aborted-blocks-removals'], 3);
    await blocked.lab.status('md', () => true);
    const generation = await blocked.replicas('md', 1);
    await blocked.lab.status('md', (s) => (s.observedGeneration ?? 0) >= generation && s.roles?.[0]?.desired === 1);
    assert.equal((await blocked.until('md', 'still', () => true)).replicaOrdinal, 2);
  });

  test('as implemented it stays out of selection', async () => {
    const l = await aborted(['aborted-stays-ineligible']);
    await l.lab.status('md', (s) => s.roles?.[0]?.endpoints?.eligible === 1);
  });

  test('the other half of one edit waits for it', async () => {
    const l = await open();
    l.start([], FAST);
    await l.deploy('md', [{ name: 'a', replicas: 3 }], {}, '');
    await l.replicas('md', 1);
    const ended = await l.until('md', 'aborted', (r) => r.state === 'Aborted');
    assert.equal(ended.replicaOrdinal, 2);
    await l.lab.status('md', (s) => s.roles?.[0]?.endpoints?.eligible === 3);
    assert.equal((await l.until('md', 'still', () => true)).replicaOrdinal, 2);
  });
});

test('a drain budget that is exhausted aborts, with what held it in the reason and everything retained', async () => {
  const l = await open();
  l.start([], FAST);
  await l.deploy('md', [{ name: 'a', replicas: 2 }]);
  const [victim] = l.pods('a', 1);
  await l.serve(victim!, [pages.busy]);
  await l.replicas('md', 1);
  const ended = await l.until('md', 'aborted', (r) => r.state === 'Aborted');
  // On a starved machine the last read may not have come to an end.
  assert.ok(ended.reason.startsWith(`${abortCauses.queues}: member ${victim?.metadata.name} `), ended.reason);
  assert.ok(ended.reason.endsWith(reasons.retained));
  const draining = ((Date.parse(ended.deadline) - Date.parse(ended.phaseStartedAt)) / 1000) * FAST.factor;
  assert.ok(draining >= 240 && draining < 270, `${draining} s`);
  assert.equal(l.lab.left.length, 0);
  assert.equal((await l.lab.workloads()).length, 2);
});

test('a target that ends while the protocol looks at it is reported, and the operation is over', async () => {
  const l = await open();
  l.start();
  await l.deploy('md', [{ name: 'a', replicas: 2 }]);
  await l.serve(l.pods('a', 1)[0]!, [pages.busy]);
  await l.replicas('md', 1);
  await l.until('md', 'held', (r) => r.state === 'Draining');
  await l.lab.client.remove(`/api/v1/namespaces/${l.lab.ns}/pods/${l.pods('a', 1)[0]?.metadata.name}`);
  await l.ended('md');
  assert.ok(l.reasons.includes(reasons.terminatedOutside));
  assert.ok(!l.states.includes('Deleting'));
});
