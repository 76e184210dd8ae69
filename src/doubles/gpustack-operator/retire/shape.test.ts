import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gauges } from '../../../requirements/drain-window.ts';
import { modelDeployment } from '../../../systems/gpustack/model-deployment.ts';
import type { Pod } from '../../../systems/gpustack/readers.ts';
import type { DeploymentInput, RoleInput } from '../../../systems/gpustack/types.ts';
import type { RetirementFault } from '../faults.ts';
import { replicaPod } from '../render/pod.ts';
import { shapeOf } from './shape.ts';

const INDEX = 'modeldeployment.gpustack.ai/member-index';
const TOTAL = 'kueue.x-k8s.io/pod-group-total-count';

const none = new Set<string>();

/** The members of one replica, as the operator deploys them. */
function members(role: Partial<RoleInput> = {}, more: Partial<DeploymentInput> = {}): Pod[] {
  const roles = [{ name: 'a', replicas: 1, ...role }];
  const deployment = modelDeployment({ name: 'md', namespace: 'ns', roles, ...more }, 'v0.9.2');
  const how = { release: 'v0.9.2', faults: none } as const;
  return Array.from({ length: role.size ?? 1 }, (_, seat) => {
    const pod = replicaPod(deployment, deployment.spec.roles[0]!, 0, how, seat) as Pod;
    return { ...pod, metadata: { ...pod.metadata, name: `m${seat}`, uid: `u${seat}` } };
  });
}

const group = (change: (pods: Pod[]) => void): Pod[] => {
  const pods = members({ size: 3 });
  change(pods);
  return pods;
};
const shape = (pods: Pod[], faults: RetirementFault[] = []) => shapeOf(pods, 'refused', new Set<string>(faults));
const reason = (pods: Pod[]): string => {
  const found = shape(pods);
  return 'reason' in found ? `${found.kind}: ${found.reason}` : found.kind;
};
const names = (pods: Pod[], faults: RetirementFault[] = []) => {
  const found = shape(pods, faults);
  return 'answering' in found ? found.answering.map((pod) => pod.metadata.name) : found.reason;
};

test('one Pod answers by itself, a leader for all of its replica', () => {
  assert.deepEqual(names(members()), ['m0']);
  assert.deepEqual(names(members({ size: 3 })), ['m0']);
  assert.deepEqual(names(group((pods) => pods.reverse())), ['m0'], 'whatever their order');
  assert.deepEqual(names(members({ size: 3 }), ['retire-reads-all-members']), ['m0', 'm1', 'm2']);
});

test('the gauges are those that the hook sums, of each engine', () => {
  const vllm = shape(members());
  const sglang = shape(members({}, { engine: 'SGLang' }));
  assert.deepEqual('gauges' in vllm && vllm.gauges, gauges.vllm);
  assert.deepEqual('gauges' in sglang && sglang.gauges, gauges.sglang);
  const short = shape(members({}, { engine: 'SGLang' }), ['retire-short-gauge-list']);
  assert.deepEqual('gauges' in short && short.gauges, gauges.sglang.slice(0, -1));
});

const unnamed: Record<string, [change: (pods: Pod[]) => void, reason: RegExp]> = {
  'no leader': [(p) => (p[0]!.metadata.labels![INDEX] = '1'), /no member carrying the leader index/],
  'two leaders': [(p) => (p[1]!.metadata.labels![INDEX] = '0'), /2 members carrying the leader index/],
  'nobody seated': [(p) => p.forEach((pod) => delete pod.metadata.labels![INDEX]), /declares which seat it holds/],
  'one seat twice': [(p) => (p[2]!.metadata.labels![INDEX] = '1'), /m1 and m2 both claim seat 1/],
  'a seat beyond': [
    (p) => (p[2]!.metadata.labels![INDEX] = '7'),
    /m2 claims seat 7 of a replica declaring only 3 members/,
  ],
  'totals that differ': [(p) => (p[1]!.metadata.annotations![TOTAL] = '4'), /group totals of 3 and 4, so its shape/],
  'a larger group declared': [
    (p) => p.forEach((pod) => (pod.metadata.annotations![TOTAL] = '4')),
    /short of the group it was built at \(3 of 4 members\)/,
  ],
  'a member gone': [(p) => p.pop(), /short of the group it was built at \(2 of 3 members\)/],
  'halves that disagree': [
    (p) => p[1]!.spec.containers[0]!.command!.push('--data-parallel-rank', '1'),
    /members disagree on whether it is disaggregated/,
  ],
  'no main': [(p) => (p[1]!.spec.containers[0]!.name = 'other'), /member m1 has no container "main"/],
};
for (const [name, [change, expected]] of Object.entries(unnamed)) {
  test(`held, and the reason says so: ${name}`, () => {
    assert.match(reason(group(change)), /^held: /);
    assert.match(reason(group(change)), expected);
  });
}

test('reasons differ pairwise', () => {
  const all = Object.values(unnamed).map(([change]) => reason(group(change)));
  assert.equal(new Set(all).size, all.length);
});

test('the fault that guesses reads the first member', () => {
  const pods = group(unnamed['no leader']![0]);
  assert.deepEqual(names(pods, ['retire-guesses-leader']), ['m0']);
});

test('an empty replica is held, and a take-over one, whatever it serves', () => {
  assert.equal(reason([]), 'held: the replica has no members to read');
  const takeOver = members({ command: ['vllm', 'serve', 'x'] });
  assert.equal(reason(takeOver), 'held: member m0 carries no usable metrics endpoint annotation');
  assert.deepEqual(names(takeOver, ['retire-invents-annotation']), ['m0']);
});

test('prefill and decode are refused, on both engines, by their own command', () => {
  for (const kind of ['Prefill', 'Decode'] as const) {
    assert.match(
      reason(members({ kind }, { engine: 'SGLang' })),
      /^refused: the member runs the sglang (prefill|decode)/,
    );
    assert.match(reason(members({ kind })), /^refused: a disaggregated replica has no verifiable decoder-side release/);
    assert.deepEqual(names(members({ kind }), ['vllm-split-by-flags-alone']), ['m0']);
    assert.deepEqual(names(members({ kind }, { engine: 'SGLang' }), ['retire-split-unrecognised']), ['m0']);
  }
  for (const [flag, told] of [
    ['--data-parallel-external-lb', 'External'],
    ['--data-parallel-hybrid-lb', 'Hybrid'],
  ]) {
    const pods = members({ extraArgs: [flag!] });
    assert.match(reason(pods), new RegExp(`^refused: the member runs a ${told} disaggregated shape`));
    assert.match(String(names(pods, ['vllm-split-by-flags-alone'])), /disaggregated shape/);
  }
});

test('from v0.10 on they wait for their grace window', () => {
  const found = shapeOf(members({ kind: 'Decode', terminationGracePeriodSeconds: 45 }), 'waits', none);
  assert.deepEqual([found.kind, 'grace' in found && found.grace], ['split', 45]);
});

test('an engine without a list of gauges is refused', () => {
  const pods = members();
  pods[0]!.spec.containers[0]!.command = ['trtllm-serve', 'm'];
  assert.equal(reason(pods), 'refused: engine trtllm-serve has no in-flight gauge list');
  assert.deepEqual(names(pods, ['retire-unlisted-is-vllm']), ['m0']);
});
