import { replica, scenario } from './scenario.ts';

/** A prefill replica that a scale-down wants gone and the protocol refuses: held until its Pod is deleted by hand. */
export default scenario({
  id: 'refused-drains',
  title: 'a split replica that the protocol refuses still drains when its Pod is deleted by hand',
  deploy: {
    kind: 'gpustack',
    deployments: [
      {
        name: 'pd',
        engine: 'SGLang',
        roles: [
          { name: 'prefill', kind: 'Prefill', replicas: 2, terminationGracePeriodSeconds: 20 },
          { name: 'decode', kind: 'Decode', replicas: 1 },
        ],
        router: { name: 'llm-d-router' },
      },
    ],
  },
  cases: { refused: replica('pd', 'prefill', 1, { lastWorkEnds: 8.75 }) },
  // A prefiller holds what it has computed in its transfer queue.
  load: { placed: [{ name: 'transfers', to: { case: 'refused' }, starts: -4, waitsForKv: 12.5, tokens: 1 }] },
  before: [{ kind: 'stream-open', case: 'refused', request: 'transfers' }],
  act: [
    {
      at: -14,
      do: 'edit',
      name: 'scale-down',
      deployment: 'pd',
      patch: [{ op: 'replace', path: '/spec/roles/0/replicas', value: 1 }],
    },
    { at: 0, do: 'delete', cases: ['refused'] },
  ],
  until: { gone: ['refused'], atMost: 40 },
  decides: [{ requirement: 'GS-LM-11', cases: ['refused'] }],
  controls: [{ fault: 'split-without-hook', breaks: ['GS-LM-11'] }],
});
