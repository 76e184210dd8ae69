import { alone, decide, pod, scenario } from './scenario.ts';

/** An idle replica whose engine needs 12 s after SIGTERM, and a Pod that waits for its accelerator. */
export default scenario({
  id: 'slow-engine',
  title: 'an idle replica with a slow engine keeps its accelerator and quota until the engine ends',
  deploy: alone({ name: 'serve', replicas: 1, engine: { exitSeconds: 12 } }),
  cases: { victim: pod('serve', 0) },
  before: [{ kind: 'idle', case: 'victim' }],
  act: [
    { at: -2, do: 'create-waiting-pod', name: 'waiting', accelerators: 1 },
    { at: 0, do: 'delete', cases: ['victim'] },
  ],
  until: { gone: ['victim'], then: 1, atMost: 40 },
  decides: [
    { requirement: 'GS-DW-31', cases: ['victim'], given: { waiting: 'waiting', quota: true } },
    ...decide(['GS-DW-06'], ['victim']),
  ],
  controls: [
    { fault: 'accelerator-released-at-delete', breaks: ['GS-DW-31'] },
    { fault: 'quota-released-at-delete', breaks: ['GS-DW-31'] },
  ],
});
