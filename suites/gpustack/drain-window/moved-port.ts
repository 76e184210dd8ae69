import { alone, decide, pod, scenario } from './scenario.ts';

/** A role that moves its engine by `--port` of its own: nothing answers on the port that the operator rendered. */
export default scenario({
  id: 'moved-port',
  title: 'a role that moves its engine with --port gets only the first 5 s',
  deploy: alone({ name: 'serve', replicas: 1, extraArgs: ['--port', '9001'] }),
  cases: { victim: pod('serve', 0, null) },
  load: { placed: [{ name: 'outlasts', to: { case: 'victim' }, starts: -4, ends: 36 }] },
  before: [{ kind: 'stream-open', case: 'victim' }],
  act: [{ at: 0, do: 'delete', cases: ['victim'] }],
  until: { gone: ['victim'], atMost: 40 },
  decides: decide(['GS-LM-08'], ['victim']),
  controls: [
    { fault: 'moved-port-followed', breaks: ['GS-LM-08'] },
    { fault: 'hook-refused-is-busy', breaks: ['GS-LM-08'] },
  ],
});
