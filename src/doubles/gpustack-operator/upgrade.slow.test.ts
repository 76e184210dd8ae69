import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hookOf, roleOf } from '../../systems/gpustack/readers.ts';
import { TOKEN } from '../../embedded/api/test-support.ts';
import { bundleDoubles, start } from '../testing/bundled.ts';
import type { OperatorFault } from './faults.ts';
import { type Lab, labs } from './lab.testing.ts';

const lab = labs('turn');

/** Deploys under the older release, then goes on with v0.9.2. */
async function upgraded(faults: OperatorFault[]): Promise<Lab> {
  const l = await lab.open();
  await l.create('md', [
    { name: 'built', replicas: 2 },
    { name: 'own', replicas: 1, command: ['vllm', 'serve', 'x'] },
  ]);
  l.start([], 'before-drain-window');
  await l.settled('md');
  assert.ok(l.pods.every((pod) => hookOf(pod) === undefined));
  await l.stop();
  l.start(faults);
  return l;
}

const turned = (l: Lab) => l.departures.map((pod) => `${roleOf(pod)?.role}/${roleOf(pod)?.ordinal}`);

test('the release with the drain window turns each operator-built replica over once, and no take-over one', async () => {
  const l = await upgraded([]);
  await l.until('turnover', () => l.pods.filter((pod) => hookOf(pod)).length === 2);
  await l.settled('md');
  // A later edit proves that the operator had nothing left to turn over.
  await l.edit('md', [{ op: 'add', path: '/spec/roles/1/terminationGracePeriodSeconds', value: 77 }]);
  await l.settled('md', 2);
  assert.deepEqual(turned(l), ['built/1', 'built/0', 'own/0']);
});

test('the fault upgrade-turns-twice turns them over once more, and then no more', async () => {
  const l = await upgraded(['upgrade-turns-twice']);
  await l.until('second turnover', () => l.left.length === 4);
  await l.settled('md');
  await l.settled(
    'md',
    await l.edit('md', [{ op: 'add', path: '/spec/roles/1/terminationGracePeriodSeconds', value: 77 }]),
  );
  assert.deepEqual(turned(l), ['built/1', 'built/0', 'built/1', 'built/0', 'own/0']);
});

async function rollout(faults: OperatorFault[], replicas = 2): Promise<Lab> {
  const l = await lab.open();
  await l.create('md', [
    { name: 'a', replicas, terminationGracePeriodSeconds: 20 },
    { name: 'b', replicas: 1 },
  ]);
  l.start(faults);
  await l.settled('md');
  l.hold = true;
  await l.edit('md', [{ op: 'replace', path: '/spec/roles/0/terminationGracePeriodSeconds', value: 40 }]);
  return l;
}

for (const fault of ['rollout-two-at-once', 'rollout-early-next'] as const) {
  test(`the fault ${fault} lets two of a role leave at once`, async () => {
    const l = await rollout([fault]);
    await l.until('two leaving at once', () => l.pods.filter((pod) => pod.metadata.deletionTimestamp).length === 2);
  });
}

for (const [fault, grace] of [
  ['rollout-deletes-with-no-grace', 1],
  ['grace-edit-new-grace', 40],
] as const) {
  test(`the fault ${fault} deletes the old Pod with a grace of ${grace}`, async () => {
    const l = await rollout([fault]);
    await l.until('departure', () => l.left.length === 1);
    assert.equal(l.departures[0]?.metadata.deletionGracePeriodSeconds, grace);
  });
}

test('the fault grace-edit-all-roles turns the other role over too', async () => {
  const l = await rollout(['grace-edit-all-roles'], 1);
  await l.until('both leaving', () => l.left.length === 2);
  assert.deepEqual(turned(l).sort(), ['a/0', 'b/0']);
});

test('an operator that is stopped again and again finishes a rollout, and never runs two Pods of one ordinal', async () => {
  const l = await rollout([], 4);
  l.hold = false;
  for (let n = 1; n <= 4; n += 1) {
    await l.until(`step ${n}`, () => l.left.length >= n);
    await l.stop();
    l.start();
  }
  await l.settled('md', 2);
  assert.equal(l.left.length, 4);
  const present = new Map<string, string>();
  for (const { type, pod } of l.seen) {
    const slot = `${roleOf(pod)?.role}/${roleOf(pod)?.ordinal}`;
    if (type === 'ADDED') {
      assert.equal(present.get(slot), undefined, `a second Pod of ${slot}`);
      present.set(slot, pod.metadata.name);
    }
    if (type === 'DELETED') present.delete(slot);
  }
});

test('as a program: one for all namespaces leaves a namespace alone that has an operator of its own', async () => {
  const own = await lab.open({}, { 'quiesce.dev/operator': 'own' });
  const other = await lab.open();
  for (const l of [own, other]) await l.create('md', [{ name: 'a', replicas: 1 }]);
  const bundle = await bundleDoubles('gpustack-operator');
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-operator-'));
  const KUBECONFIG = join(folder, 'kubeconfig');
  writeFileSync(
    KUBECONFIG,
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: lab.server().plainUrl } }],
      users: [{ name: 'u', user: { token: TOKEN } }],
    }),
  );
  const program = bundle.paths['gpustack-operator'] ?? '';
  const all = start(program, [], { env: { KUBECONFIG } });
  try {
    await other.settled('md');
    assert.equal(own.pods.length, 0);
    const one = start(program, ['--namespace', own.ns, '--release', 'before-drain-window'], { env: { KUBECONFIG } });
    await own.settled('md');
    assert.equal(hookOf(own.pods[0]!), undefined);
    assert.ok(hookOf(other.pods[0]!));
    one.child.kill('SIGTERM');
    assert.deepEqual([(await one.exited).code, (await one.exited).signal], [0, null]);
    const wrong = start(program, ['--release', 'v9'], { env: { KUBECONFIG } });
    assert.equal((await wrong.exited).code, 64);
    assert.match(wrong.lines.join(' '), /unknown release "v9" usage: gpustack-operator \[--namespace NAME\]/);
  } finally {
    all.child.kill('SIGTERM');
    await all.exited;
    bundle.remove();
    rmSync(folder, { recursive: true });
  }
});
