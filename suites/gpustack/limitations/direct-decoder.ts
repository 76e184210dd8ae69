import { replica, scenario } from './scenario.ts';

/** A decoder behind a routing proxy in its own Pod. */
export default scenario({
  id: 'direct-decoder',
  title: 'the routing proxy of a direct decoder has no hook of its own',
  deploy: {
    kind: 'gpustack',
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
  },
  cases: { decoder: replica('pd', 'decode', 0) },
  act: [{ at: 0, do: 'look', deployments: ['pd'] }],
  until: { atMost: 5 },
  decides: [{ requirement: 'GS-LM-13', cases: ['decoder'] }],
  controls: [{ fault: 'proxy-gets-hook', breaks: ['GS-LM-13'] }],
});
