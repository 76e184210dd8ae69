import { behindRouter, decide, pod, scenario, toRouter } from './scenario.ts';

/** `kubectl delete pod` on a replica that works until 8.75 s, beside a survivor, under steady arrivals. */
export default scenario({
  id: 'delete-drains',
  title: 'a deleted replica drains before its engine is signalled',
  deploy: behindRouter({ name: 'serve', replicas: 2 }),
  cases: { victim: pod('serve', 0, 8.75) },
  load: {
    placed: [
      { name: 'last', to: toRouter, starts: -5, ends: 8.75, copies: 2 },
      { name: 'late-1', to: { case: 'victim' }, starts: 1, tokens: 4 },
      { name: 'late-3', to: { case: 'victim' }, starts: 3, tokens: 4 },
    ],
    steady: [{ name: 'arrivals', to: toRouter, rate: 4, arrivals: 'constant', starts: -4, ends: 9, tokens: 2 }],
  },
  before: [
    { kind: 'stream-open', case: 'victim', request: 'last' },
    { kind: 'chosen-by-router', case: 'victim', atLeast: 3 },
    { kind: 'survivor-ready', deployment: 'chat' },
  ],
  act: [{ at: 0, do: 'delete', cases: ['victim'] }],
  until: { gone: ['victim'], then: 1, atMost: 40 },
  decides: [
    { requirement: 'GS-DW-01', cases: ['victim'], part: 'delete' },
    ...decide(['GS-DW-04', 'GS-DW-05', 'GS-DW-07', 'GS-DW-12', 'GS-DW-26', 'GS-DW-29'], ['victim']),
  ],
  controls: [
    { fault: 'hook-missing', breaks: ['GS-DW-01', 'GS-DW-05', 'GS-DW-07', 'GS-DW-12', 'GS-DW-29'] },
    { fault: 'hook-returns-early', breaks: ['GS-DW-01', 'GS-DW-05', 'GS-DW-07', 'GS-DW-12'] },
    { fault: 'kubelet-sigterm-first', breaks: ['GS-DW-01', 'GS-DW-05', 'GS-DW-07', 'GS-DW-12', 'GS-DW-26'] },
    { fault: 'kubelet-late-hook', breaks: ['GS-DW-29'] },
    { fault: 'kubelet-signal-late', breaks: ['GS-DW-07', 'GS-DW-26'] },
    { fault: 'router-keeps-leaving', breaks: ['GS-DW-04'] },
    { fault: 'router-drops-late', breaks: ['GS-DW-04'] },
    { fault: 'hook-one-idle-read', breaks: ['GS-DW-07'] },
    { fault: 'hook-slow-poll', breaks: ['GS-DW-07'] },
    { fault: 'hook-waits-for-grace', breaks: ['GS-DW-07'] },
    { fault: 'engine-gauge-lies-zero', breaks: ['GS-DW-01', 'GS-DW-07', 'GS-DW-12'] },
    { fault: 'engine-drops-at-first-read', breaks: ['GS-DW-12'] },
    { fault: 'engine-cuts-early', breaks: ['GS-DW-12'] },
  ],
});
