import type { GpustackDeploy, RoleSpec } from '../../../src/scenario/scenario.ts';
import { grace, routed, scaleDown, scenario, targets } from './scenario.ts';

type Deployment = GpustackDeploy['deployments'][number];
const whole = ['vllm', 'recast'];
const withFlag = (deployment: Deployment, extraArgs: string[]): Deployment => ({
  ...deployment,
  roles: deployment.roles.map((role): RoleSpec => ({ ...role, extraArgs })),
});

/** A split replica is never let go by the protocol: known by its own command, even when its role is gone. */
export default scenario({
  id: 'refused-split',
  title: 'a split replica is refused by its own command, whatever the spec says by then',
  deploy: {
    kind: 'gpustack',
    deployments: [
      withFlag(routed('vllm'), ['--data-parallel-hybrid-lb']),
      {
        name: 'sglang',
        engine: 'SGLang',
        roles: [
          { name: 'decode', kind: 'Decode', replicas: 2, terminationGracePeriodSeconds: 30 },
          { name: 'prefill', kind: 'Prefill', replicas: 1, terminationGracePeriodSeconds: 30 },
        ],
        router: { name: 'llm-d-router' },
      },
      withFlag(routed('recast'), ['--data-parallel-hybrid-lb']),
      {
        ...routed('dropped'),
        roles: [
          { name: 'serve', replicas: 1, terminationGracePeriodSeconds: grace },
          {
            name: 'split',
            replicas: 1,
            terminationGracePeriodSeconds: grace,
            extraArgs: ['--data-parallel-hybrid-lb'],
          },
        ],
      },
    ],
  },
  cases: {
    ...targets(whole),
    sglang: { deployment: 'sglang', role: 'decode', ordinal: 1 },
    dropped: { deployment: 'dropped', role: 'split', ordinal: 0 },
  },
  act: [
    ...['vllm', 'sglang'].map((name) => scaleDown(name)),
    scaleDown('recast', 0, [{ op: 'remove', path: '/spec/roles/0/extraArgs' }]),
    {
      at: 0,
      do: 'edit',
      name: 'drop-role',
      deployment: 'dropped',
      patch: [{ op: 'remove', path: '/spec/roles/1' }],
    },
    { at: 25, do: 'look', deployments: [...whole, 'sglang', 'dropped'] },
  ],
  until: { then: 1, atMost: 28 },
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
});
