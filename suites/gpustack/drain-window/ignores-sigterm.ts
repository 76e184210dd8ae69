import { alone, decide, pod, scenario } from './scenario.ts';

/** An engine that logs SIGTERM and goes on: only the kill at the end of the grace stops it. */
export default scenario({
  id: 'ignores-sigterm',
  title: 'at G the kubelet kills what is left',
  deploy: alone({
    name: 'serve',
    replicas: 1,
    terminationGracePeriodSeconds: 15,
    engine: { ignoreSigterm: true },
  }),
  cases: { victim: pod('serve', 0) },
  before: [{ kind: 'idle', case: 'victim' }],
  act: [{ at: 0, do: 'delete', cases: ['victim'] }],
  until: { gone: ['victim'], atMost: 40 },
  decides: decide(['GS-DW-09'], ['victim']),
  controls: [
    { fault: 'kubelet-kills-early', breaks: ['GS-DW-09'] },
    { fault: 'kubelet-never-kills', breaks: ['GS-DW-09'] },
  ],
});
