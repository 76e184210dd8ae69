import type { GpustackDeploy } from '../../../src/scenario/scenario.ts';
import { decide, replica, scenario } from './scenario.ts';

const deploy = (kubernetes: '<1.29' | '>=1.29'): GpustackDeploy => ({
  kind: 'gpustack',
  kubernetes,
  deployments: [
    {
      name: 'pd',
      roles: [
        { name: 'prefill', kind: 'Prefill', replicas: 1 },
        { name: 'decode', kind: 'Decode', replicas: 1 },
      ],
      router: { name: 'llm-d-router' },
      kvTransfer: {},
    },
  ],
});
const through = { name: 'through', to: { router: 'pd' }, starts: -2, ends: 12.75 };
/** Past the proxy, to the port of the engine. */
const straight = { name: 'straight', to: { case: 'decoder' }, starts: -2, ends: 12.75 };

/** A decoder behind a routing proxy in its own Pod, with a stream that passes the proxy. */
export const directDecoder = scenario({
  id: 'direct-decoder',
  title: 'the routing proxy of a direct decoder has no hook of its own, and stops after the engine',
  deploy: deploy('>=1.29'),
  cases: { decoder: replica('pd', 'decode', 0, { lastWorkEnds: 12.75 }) },
  load: { placed: [through] },
  before: [{ kind: 'stream-open', case: 'decoder', request: 'through' }],
  act: [{ at: 0, do: 'delete', cases: ['decoder'] }],
  until: { gone: ['decoder'], then: 1, atMost: 40 },
  decides: [
    { requirement: 'GS-LM-13', cases: ['decoder'] },
    { requirement: 'GS-LM-12', cases: ['decoder'], part: 'from 1.29 on' },
    { requirement: 'GS-DW-01', cases: ['decoder'], part: 'delete' },
    ...decide(['GS-DW-12'], ['decoder']),
  ],
  controls: [
    { fault: 'proxy-gets-hook', breaks: ['GS-LM-13'] },
    { fault: 'proxy-is-classic', breaks: ['GS-LM-12', 'GS-DW-12'] },
  ],
});

/** The same on a cluster without native sidecars, with a second stream that the proxy has no part in. */
export const classicProxy = scenario({
  id: 'classic-proxy',
  title: 'below Kubernetes 1.29 the routing proxy stops at the delete and cuts what passes it, while the engine drains',
  deploy: deploy('<1.29'),
  cases: { decoder: replica('pd', 'decode', 0, { lastWorkEnds: 12.75 }) },
  load: { placed: [through, straight] },
  before: ['through', 'straight'].map((request) => ({ kind: 'stream-open' as const, case: 'decoder', request })),
  act: [{ at: 0, do: 'delete', cases: ['decoder'] }],
  until: { gone: ['decoder'], then: 1, atMost: 40 },
  decides: [
    ...decide(['GS-LM-12'], ['decoder']),
    // The proxy listens where the Service points, up to the delete: a hook that asked there would be refused.
    { requirement: 'GS-DW-18', cases: ['decoder'], given: { decoy: 8000 } },
  ],
  controls: [
    { fault: 'hook-missing', breaks: ['GS-LM-12', 'GS-DW-18'] },
    { fault: 'hook-reads-default-port', breaks: ['GS-LM-12', 'GS-DW-18'] },
  ],
});
