import type { RouterName } from '../../../src/systems/gpustack/types.ts';
import type { GpustackDeploy, Scenario } from '../../../src/scenario/scenario.ts';
import { replica, scenario } from './scenario.ts';

type Deployment = GpustackDeploy['deployments'][number];

const inTurn = { extraArgs: ['--policy', 'round_robin'] };
const deployment = (name: RouterName, more: Partial<Deployment> = {}): Deployment => ({
  name,
  roles: [{ name: 'serve', replicas: 2, terminationGracePeriodSeconds: 15 }],
  router: { name, ...(name === 'llm-d-router' ? {} : inTurn) },
  ...more,
});

/**
 * Replica 1 of each deployment answers new requests with an error while what it took before streams on; then it is
 * deleted, and its stream outlasts the grace. Each deployment and its case have the name of its router.
 */
const failing = (
  names: RouterName[],
  deployments: Deployment[],
  rest: Pick<Scenario, 'id' | 'title' | 'decides' | 'controls'>,
): Scenario =>
  scenario({
    deploy: { kind: 'gpustack', deployments },
    cases: Object.fromEntries(names.map((name) => [name, replica(name, 'serve', 1, { lastWorkEnds: null })])),
    load: {
      placed: names.map((name) => ({ name: `${name}-long`, to: { router: name }, starts: -7, ends: 22, copies: 2 })),
      steady: names.map((name) => ({
        name: `${name}-tried`,
        to: { router: name },
        rate: 4,
        arrivals: 'constant' as const,
        starts: -4,
        ends: -1,
        tokens: 2,
      })),
    },
    before: names.flatMap((name) => [
      { kind: 'stream-open' as const, case: name, request: `${name}-long` },
      { kind: 'survivor-ready' as const, deployment: name },
    ]),
    act: [
      // A router needs a moment to learn of its replicas: nothing is sent until the first step was.
      { at: -12, do: 'look', deployments: names },
      { at: -5, do: 'control-engine', cases: names, control: { generate: 'fail' } },
      { at: 0, do: 'delete', cases: names },
    ],
    // A router that sends a cut request again is seen to do so within seconds.
    until: { gone: names, then: 4, atMost: 40 },
    ...rest,
  });

export const noRetry = failing(
  ['vllm-router', 'llm-d-router'],
  [deployment('vllm-router'), deployment('llm-d-router')],
  {
    id: 'no-retry',
    title: 'vllm-router and llm-d-router send no request twice, before its response has started or after',
    decides: ['vllm-router', 'llm-d-router'].flatMap((name) => [
      { requirement: 'GS-LM-05', cases: [name], part: name },
      { requirement: 'GS-LM-03', cases: [name], part: name },
    ]),
    controls: [
      { fault: 'router-retries-before-start', breaks: ['GS-LM-05'] },
      { fault: 'router-retries-midstream', breaks: ['GS-LM-03', 'GS-LM-05'] },
    ],
  },
);

export const gatewayRetries = failing(['sglang-gateway'], [deployment('sglang-gateway', { engine: 'SGLang' })], {
  id: 'gateway-retries',
  title: 'the SGLang gateway sends a request again while its response has not started, and never after',
  decides: [
    { requirement: 'GS-LM-04', cases: ['sglang-gateway'] },
    { requirement: 'GS-LM-03', cases: ['sglang-gateway'], part: 'sglang-gateway' },
  ],
  controls: [
    { fault: 'gateway-never-retries', breaks: ['GS-LM-04'] },
    { fault: 'router-retries-midstream', breaks: ['GS-LM-03', 'GS-LM-04'] },
  ],
});
