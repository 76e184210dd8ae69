import { alone, decide, pod, scenario } from './scenario.ts';

/** A listener that begins to hang just before G - 5: only then does the hook need the 2 s between G - 5 and G - 3. */
export default scenario({
  id: 'late-hang',
  title: 'a read that hangs just before G - 5 delays the signal to G - 3 at most',
  deploy: alone({ name: 'serve', replicas: 1, terminationGracePeriodSeconds: 15 }),
  cases: { victim: pod('serve', 0, null) },
  load: { placed: [{ name: 'outlasts', to: { case: 'victim' }, starts: -4, ends: 22 }] },
  before: [{ kind: 'stream-open', case: 'victim', request: 'outlasts' }],
  act: [
    { at: 0, do: 'delete', cases: ['victim'] },
    { at: 8.9, do: 'control-engine', cases: ['victim'], control: { metrics: 'hang' } },
  ],
  until: { gone: ['victim'], atMost: 30 },
  decides: [{ requirement: 'GS-DW-08', cases: ['victim'], given: { hang: true } }, ...decide(['GS-DW-27'], ['victim'])],
  controls: [{ fault: 'hook-long-timeout', breaks: ['GS-DW-08'] }],
});
