import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { abortCauses, reasons } from '../../../requirements/retirement-reasons.ts';
import type { Pod } from '../../../systems/gpustack/readers.ts';
import { paths } from '../snapshot.ts';
import { bench } from './bench-case.testing.ts';
import { pages, type RetireLab } from './lab.testing.ts';

const { open } = bench('edits');

/** Fast enough that 240 documented seconds are some of the wall, slow enough that a read is far from it. */
const FAST = { factor: 60 };

/** `replicas` replicas, the last of which is being drained and held for its work. */
async function draining(replicas = 2): Promise<{ l: RetireLab; target: Pod }> {
  const l = await open();
  l.start();
  await l.deploy('md', [{ name: 'a', replicas }]);
  const target = l.pods('a', replicas - 1)[0]!;
  await l.serve(target, [pages.busy]);
  await l.replicas('md', replicas - 1);
  await l.until('md', 'held', (r) => r.state === 'Draining' && r.reason.endsWith(' in flight'));
  return { l, target };
}

/** Settles after two more reads that find work: whoever asks has looked at the deployment before the second one. */
function readAgain(l: RetireLab, target: Pod): Promise<void> {
  let reads = 0;
  return new Promise((resolve) => {
    l.engineOf(target).pages = [
      (_request, response) => {
        response.end(pages.busy);
        if ((reads += 1) === 2) resolve();
      },
    ];
  });
}

const podPath = (l: RetireLab, { metadata }: Pod) => `${paths.pods(l.lab.ns)}/${metadata.name}`;
const uidOf = ({ metadata }: Pod) => metadata.uid ?? '';

/** Every operation that was seen, by the UIDs that it bound, in order. */
const bound = (l: RetireLab) => [...new Set(l.told.flatMap((r) => r?.targetMemberUIDs.join() ?? []))];

describe('edits while a replica is drained', { concurrency: 3 }, () => {
  test('replicas up again: what was bound goes on and goes, and its place is filled only then', async () => {
    const { l, target } = await draining();
    await l.replicas('md', 2);
    await readAgain(l, target);
    assert.deepEqual(l.pods('a', 1).map(uidOf), [uidOf(target)]);
    l.engineOf(target).pages = [pages.idle];
    await l.ended('md');
    await l.lab.until('another in its place', () => {
      const [now] = l.pods('a', 1);
      return now && uidOf(now) !== uidOf(target);
    });
    assert.deepEqual(l.lab.left, [uidOf(target)]);
  });

  test('replicas down further: the next one waits for the first, then goes through it too', async () => {
    const { l, target } = await draining(3);
    const next = l.pods('a', 1)[0]!;
    await l.replicas('md', 1);
    await readAgain(l, target);
    assert.deepEqual(bound(l), [uidOf(target)]);
    l.engineOf(target).pages = [pages.idle];
    await l.lab.until('one replica', () => l.lab.pods.length === 1);
    await l.ended('md');
    assert.deepEqual(bound(l), [uidOf(target), uidOf(next)]);
    assert.deepEqual(l.lab.left, [uidOf(target), uidOf(next)]);
  });

  test('another command: the others roll over, the target is read as it is deployed and goes last', async () => {
    const { l, target } = await draining();
    const other = l.pods('a', 0)[0]!;
    await l.lab.edit('md', [{ op: 'add', path: '/spec/roles/0/command', value: ['/pause'] }]);
    await l.lab.until('the other one replaced', () => {
      const [now] = l.pods('a', 0);
      return now && uidOf(now) !== uidOf(other);
    });
    assert.deepEqual(l.lab.left, [uidOf(other)]);
    l.engineOf(target).pages = [pages.idle];
    await l.ended('md');
    assert.deepEqual(l.lab.left, [uidOf(other), uidOf(target)]);
    assert.deepEqual(bound(l), [uidOf(target)]);
  });

  test('the deployment deleted: nothing more is done for the operation', async () => {
    const { l, target } = await draining();
    const path = `${paths.deployments(l.lab.ns)}/md`;
    await l.lab.client.patch(path, { metadata: { finalizers: ['test.example/stays'] } });
    await l.lab.client.remove(path);
    const before = (await l.lab.deployment('md')).status?.retirement;
    l.engineOf(target).pages = [pages.idle];
    // Another deployment of the namespace proves that the operator has gone on looking.
    await l.lab.create('second', [{ name: 'b', replicas: 1 }]);
    await l.lab.settled('second');
    assert.deepEqual((await l.lab.deployment('md')).status?.retirement, before);
    assert.equal(l.lab.left.length, 0);
    await l.lab.client.patch(path, { metadata: { finalizers: null } });
  });

  test('the router taken away while it still serves the target: aborted, with that as the reason', async () => {
    const l = await open();
    l.start([], { factor: 3 });
    await l.deploy('md', [{ name: 'a', replicas: 2 }]);
    const target = l.pods('a', 1)[0]!;
    l.clings.add(uidOf(target));
    await l.replicas('md', 1);
    await l.until('md', 'held', (r) => r.reason === reasons.stillServed([uidOf(target)]));
    await l.lab.edit('md', [{ op: 'remove', path: '/spec/router' }]);
    const ended = await l.until('md', 'aborted', (r) => r.state === 'Aborted');
    assert.equal(ended.reason, reasons.aborted(abortCauses.noRouter));
    assert.equal(l.lab.left.length, 0);
  });
});

describe('a target that is not what it was', { concurrency: 3 }, () => {
  test('another Pod of its name: never deleted for it, but bound and read anew', async () => {
    const { l, target } = await draining();
    const { name, labels, annotations, ownerReferences } = target.metadata;
    const spec = { ...target.spec };
    delete spec.nodeName;
    await l.lab.stop();
    await l.lab.client.remove(podPath(l, target), { gracePeriodSeconds: 0 });
    await l.lab.until('it gone', () => l.pods('a', 1).length === 0);
    // What a garbage collector does: the Workload belonged to it alone.
    const [workload] = (await l.lab.workloads()).filter(({ metadata: { ownerReferences = [] } }) =>
      ownerReferences.some(({ uid }) => uid === uidOf(target)),
    );
    await l.lab.client.remove(`${paths.workloads(l.lab.ns)}/${workload?.metadata.name}`);
    await l.lab.client.create(paths.pods(l.lab.ns), { metadata: { name, labels, annotations, ownerReferences }, spec });
    const twin = await l.lab.until('its twin running', () => l.pods('a', 1).find(({ status }) => status?.podIP));
    await l.serve(twin, [pages.busy]);
    l.start();
    await l.until('md', 'bound anew', (r) => r.targetMemberUIDs[0] === uidOf(twin) && r.reason.endsWith(' in flight'));
    assert.ok(l.reasons.includes(reasons.terminatedOutside));
    assert.ok(!l.lab.left.includes(uidOf(twin)));
    assert.ok(!l.states.includes('Deleting'));
    l.engineOf(twin).pages = [pages.idle];
    await l.ended('md');
    assert.ok(l.lab.left.includes(uidOf(twin)));
  });

  test('a finalizer that never goes: still Deleting past every budget, never aborted, over once it goes', async () => {
    const l = await open();
    l.start([], FAST);
    await l.deploy('md', [{ name: 'a', replicas: 2 }]);
    const target = l.pods('a', 1)[0]!;
    await l.lab.client.patch(podPath(l, target), { metadata: { finalizers: ['test.example/stays'] } });
    await l.replicas('md', 1);
    const late = await l.until('md', 'late', (r) => r.reason === reasons.leftDeletionLate);
    assert.equal(late.state, 'Deleting');
    assert.ok(l.reasons.some((reason) => reason.startsWith(`member "${target.metadata.name}" is still present`)));
    await l.lab.client.patch(podPath(l, target), { metadata: { finalizers: null } });
    await l.ended('md');
    assert.ok(!l.states.includes('Aborted'));
  });
});
