import type { GpustackDeploy, RoleSpec, Step } from '../../../src/scenario/scenario.ts';
import { grace, routed, scaleDown, scenario, targets } from './scenario.ts';

type Deployment = GpustackDeploy['deployments'][number];
const whole = ['vllm', 'recast'];
const withFlag = (deployment: Deployment, extraArgs: string[]): Deployment => ({
  ...deployment,
  roles: deployment.roles.map((role): RoleSpec => ({ ...role, extraArgs })),
});

/** Split replicas of both engines, one that an edit makes a whole one, and one whose role is dropped. */
const deployments = (vllmGrace: number, sglangGrace: number): Deployment[] => [
  withFlag(routed('vllm', { terminationGracePeriodSeconds: vllmGrace }), ['--data-parallel-hybrid-lb']),
  {
    name: 'sglang',
    engine: 'SGLang',
    roles: [
      { name: 'decode', kind: 'Decode', replicas: 2, terminationGracePeriodSeconds: sglangGrace },
      { name: 'prefill', kind: 'Prefill', replicas: 1, terminationGracePeriodSeconds: sglangGrace },
    ],
    router: { name: 'llm-d-router' },
  },
  withFlag(routed('recast', { terminationGracePeriodSeconds: vllmGrace }), ['--data-parallel-hybrid-lb']),
  {
    ...routed('dropped'),
    roles: [
      { name: 'serve', replicas: 1, terminationGracePeriodSeconds: grace },
      {
        name: 'split',
        replicas: 1,
        terminationGracePeriodSeconds: vllmGrace,
        extraArgs: ['--data-parallel-hybrid-lb'],
      },
    ],
  },
];

/** A split vLLM without the flags of data parallelism: its KV transfer alone tells. */
const transfer: Deployment = {
  name: 'transfer',
  roles: [
    { name: 'decode', kind: 'Decode', replicas: 2, terminationGracePeriodSeconds: grace },
    { name: 'prefill', kind: 'Prefill', replicas: 1, terminationGracePeriodSeconds: grace },
  ],
  router: { name: 'llm-d-router' },
};

const shared = {
  cases: {
    ...targets(whole),
    sglang: { deployment: 'sglang', role: 'decode', ordinal: 1 },
    dropped: { deployment: 'dropped', role: 'split', ordinal: 0 },
  },
  decides: [
    { requirement: 'GS-RP-26', cases: ['vllm'], part: 'vLLM', given: { reason: 'split' } },
    { requirement: 'GS-RP-26', cases: ['sglang'], part: 'SGLang', given: { reason: 'split' } },
    { requirement: 'GS-RP-06', cases: ['recast'], part: 'split', given: { reason: 'split' } },
    { requirement: 'GS-RP-27', cases: ['dropped'], given: { reason: 'split' } },
  ],
  controls: [
    { fault: 'retire-split-unrecognised', breaks: ['GS-RP-26', 'GS-RP-06', 'GS-RP-27'] },
    { fault: 'retire-reads-spec', breaks: ['GS-RP-06', 'GS-RP-27'] },
  ],
};
const removals: Step[] = [
  ...['vllm', 'sglang'].map((name) => scaleDown(name)),
  scaleDown('recast', 0, [{ op: 'remove', path: '/spec/roles/0/extraArgs' }]),
  { at: 0, do: 'edit', name: 'drop-role', deployment: 'dropped', patch: [{ op: 'remove', path: '/spec/roles/1' }] },
];

/** A split replica is never let go by the protocol: known by its own command, even when its role is gone. */
export const refusedSplit = scenario({
  id: 'refused-split',
  title: 'a split replica is refused by its own command, whatever the spec says by then',
  profiles: ['gpustack-v0.9.2'],
  deploy: { kind: 'gpustack', deployments: [...deployments(grace, 30), transfer] },
  cases: { ...shared.cases, transfer: { deployment: 'transfer', role: 'decode', ordinal: 1 } },
  act: [
    ...removals,
    scaleDown('transfer'),
    { at: 25, do: 'look', deployments: [...whole, 'sglang', 'dropped', 'transfer'] },
  ],
  until: { then: 1, atMost: 28 },
  decides: [
    ...shared.decides,
    { requirement: 'GS-RP-26', cases: ['transfer'], part: 'vLLM by its KV transfer', given: { reason: 'split' } },
  ],
  controls: [
    ...shared.controls,
    { fault: 'vllm-split-by-flags-alone', breaks: ['GS-RP-26'] },
    { fault: 'as-implemented', breaks: ['GS-RP-26'] },
  ],
});

/** Far longer than a withdrawal and two reads take, so that a replica that does not wait for it is told from one that does. */
const window = 45;

/** From v0.10 on: known in the same way, and let go after its grace window. */
export const waitingSplit = scenario({
  id: 'waiting-split',
  title: 'a split replica waits for its grace window, known by its own command, whatever the spec says by then',
  profiles: ['gpustack-v0.10', 'gpustack-v0.11'],
  deploy: { kind: 'gpustack', deployments: deployments(window, window) },
  act: removals,
  until: { gone: [...whole, 'sglang', 'dropped'], then: 1, atMost: 130 },
  ...shared,
});
