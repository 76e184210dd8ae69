import { alone, decide, pod, scenario } from './scenario.ts';

/** The engine on the port that the role declares, and on the usual port a decoy that always answers "idle". */
export default scenario({
  id: 'annotated-listener',
  title: 'the hook reads the listener that the scrape annotations name',
  deploy: alone({
    name: 'serve',
    replicas: 1,
    ports: [{ port: 9000 }],
    extraArgs: ['--port', '9000'],
    engine: { decoyPort: 8000 },
  }),
  cases: { victim: pod('serve', 0, 8.75) },
  load: { placed: [{ name: 'last', to: { case: 'victim' }, starts: -4, ends: 8.75 }] },
  before: [{ kind: 'stream-open', case: 'victim', request: 'last' }],
  act: [{ at: 0, do: 'delete', cases: ['victim'] }],
  until: { gone: ['victim'], atMost: 40 },
  decides: [
    { requirement: 'GS-DW-18', cases: ['victim'], given: { decoy: 8000 } },
    ...decide(['GS-DW-07'], ['victim']),
  ],
  controls: [{ fault: 'hook-reads-default-port', breaks: ['GS-DW-07', 'GS-DW-18'] }],
});
