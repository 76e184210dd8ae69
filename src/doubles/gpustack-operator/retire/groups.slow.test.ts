import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { roleOf } from '../../../systems/gpustack/readers.ts';
import type { RetirementFault } from '../faults.ts';
import { bench } from './bench-case.testing.ts';
import { pages, type RetireLab } from './lab.testing.ts';

const { open } = bench('groups');

async function deployed(faults: RetirementFault[] = []): Promise<RetireLab> {
  const l = await open();
  l.start(faults);
  await l.deploy('md', [{ name: 'a', replicas: 2, size: 3 }]);
  return l;
}

describe('a replica of several Pods', { concurrency: 2 }, () => {
  test('answers through its leader: busy followers do not hold it, and every member is deleted, no other', async () => {
    const l = await deployed();
    const members = l.pods('a', 1);
    for (const follower of members.slice(1)) await l.serve(follower, [pages.busy]);
    await l.replicas('md', 1);
    await l.ended('md');
    assert.deepEqual(l.lab.left.sort(), members.map((pod) => pod.metadata.uid).sort());
    assert.deepEqual(
      members.map((pod) => l.engineOf(pod).reads),
      [2, 0, 0],
    );
    assert.equal(l.pods('a', 0).length, 3);
    assert.equal((await l.lab.workloads()).length, 1);
  });

  test('is held for its leader', async () => {
    const l = await deployed();
    await l.serve(l.pods('a', 1)[0]!, [pages.busy]);
    await l.replicas('md', 1);
    await l.until('md', 'held', (r) => r.reason.endsWith('still holds 3 in flight'));
    assert.equal(l.lab.left.length, 0);
  });

  test('is held where no leader can be named', async () => {
    const l = await deployed();
    const [leader] = l.pods('a', 1);
    await l.lab.client.patch(`/api/v1/namespaces/${l.lab.ns}/pods/${leader?.metadata.name}`, {
      metadata: { labels: { 'modeldeployment.gpustack.ai/member-index': '1' } },
    });
    await l.replicas('md', 1);
    await l.until('md', 'held', (r) => r.reason === 'no member carrying the leader index');
    assert.equal(l.lab.left.length, 0);
  });

  test('faults: the leader alone is deleted, or another replica too', async () => {
    const alone = await deployed(['retire-deletes-leader-only']);
    await alone.replicas('md', 1);
    await alone.lab.until('the leader gone', () => alone.pods('a', 1).length === 2);
    const sibling = await deployed(['retire-deletes-sibling']);
    await sibling.replicas('md', 1);
    await sibling.lab.until('a Pod of the other one leaves', () =>
      sibling.lab.departures.some((p) => roleOf(p)?.ordinal === 0),
    );
  });

  test('leaves as a whole when one of it is deleted, and comes back as a whole', async () => {
    const l = await deployed();
    const before = l.pods('a', 0).map((pod) => pod.metadata.uid);
    await l.lab.client.remove(`/api/v1/namespaces/${l.lab.ns}/pods/${l.pods('a', 0)[1]?.metadata.name}`);
    await l.lab.until('three that are new', () => {
      const now = l.pods('a', 0);
      return now.length === 3 && now.every((pod) => !before.includes(pod.metadata.uid));
    });
    await l.lab.settled('md');
    assert.equal(l.states.length, 0, 'no retirement');
  });
});

describe('other removals that the spec makes', { concurrency: 2 }, () => {
  test('a surplus member goes through the protocol, its place stays', async () => {
    const l = await open();
    l.start();
    await l.deploy('md', [{ name: 'a', replicas: 1 }]);
    const [kept] = l.pods('a', 0);
    const { labels, annotations, ownerReferences } = kept!.metadata;
    const spec = { ...kept!.spec };
    delete spec.nodeName;
    await l.lab.client.create(`/api/v1/namespaces/${l.lab.ns}/pods`, {
      metadata: { name: 'stale', labels, annotations, ownerReferences },
      spec,
    });
    await l.lab.until('the stale one runs', () =>
      l.lab.pods.some((p) => p.metadata.name === 'stale' && p.status?.podIP),
    );
    await l.serve(
      l.lab.pods.find((p) => p.metadata.name === 'stale')!,
      [pages.idle],
    );
    await l.ended('md');
    assert.deepEqual(
      l.lab.departures.map((pod) => pod.metadata.name),
      ['stale'],
    );
    assert.equal((await l.lab.workloads()).length, 1);
  });

  test('a dropped role', async () => {
    const l = await open();
    l.start();
    await l.deploy('md', [
      { name: 'a', replicas: 1 },
      { name: 'b', replicas: 2 },
    ]);
    await l.lab.edit('md', [{ op: 'remove', path: '/spec/roles/1' }]);
    await l.lab.until('b gone', () => l.lab.pods.length === 1);
    assert.deepEqual(
      l.lab.departures.map((pod) => roleOf(pod)?.ordinal),
      [1, 0],
    );
  });

  test('a group that never ran, and one that was never admitted, are cleaned up without it', async () => {
    const l = await open();
    l.start();
    l.lab.unscheduled = (pod) => roleOf(pod)?.ordinal === 1;
    await l.lab.create('md', [{ name: 'a', replicas: 2 }]);
    await l.lab.until('both Pods', () => l.lab.pods.length === 2);
    await l.replicas('md', 1);
    await l.lab.until('one Pod', () => l.lab.pods.length === 1);
    await l.lab.until('one Workload', async () => (await l.lab.workloads()).length === 1);
    assert.equal(l.states.length, 0, 'no retirement');
  });
});
