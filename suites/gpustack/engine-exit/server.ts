import { alone, decide, pod, scenario, sglang } from './scenario.ts';

/** SGLang servers: one idle, one whose work ends in the window, one that works past its grace. */
export default scenario({
  id: 'sglang-server',
  title: 'an SGLang server drains in its window, drains on after SIGTERM, and leaves by itself when idle',
  deploy: alone(sglang('chat', { name: 'serve', replicas: 3 })),
  cases: {
    idle: pod('chat', 'serve', 0),
    ends: pod('chat', 'serve', 1, 12),
    busy: pod('chat', 'serve', 2, null),
  },
  load: {
    placed: [
      { name: 'ends-inside', to: { case: 'ends' }, starts: -4, ends: 12 },
      { name: 'early', to: { case: 'busy' }, starts: -4, ends: 21 },
      { name: 'after-the-signal', to: { case: 'busy' }, starts: -3.5, ends: 28 },
      { name: 'outlasts', to: { case: 'busy' }, starts: -3, ends: 36 },
    ],
  },
  before: [
    { kind: 'idle', case: 'idle' },
    { kind: 'stream-open', case: 'ends' },
    { kind: 'stream-open', case: 'busy', request: 'after-the-signal' },
    { kind: 'stream-open', case: 'busy', request: 'outlasts' },
  ],
  act: [{ at: 0, do: 'delete', cases: ['idle', 'ends', 'busy'] }],
  until: { gone: ['idle', 'ends', 'busy'], then: 1, atMost: 45 },
  decides: [
    { requirement: 'GS-DW-01', cases: ['ends'], part: 'delete' },
    ...decide(['GS-DW-06', 'GS-DW-10'], ['idle']),
    ...decide(['GS-DW-07'], ['ends']),
    ...decide(['GS-DW-12'], ['ends', 'busy']),
    ...decide(['GS-DW-08', 'GS-DW-27', 'GS-LM-02'], ['busy']),
  ],
  controls: [
    { fault: 'sglang-aborts-at-sigterm', breaks: ['GS-LM-02'] },
    { fault: 'engine-cuts-early', breaks: ['GS-DW-12', 'GS-LM-02'] },
    { fault: 'engine-slow-exit', breaks: ['GS-DW-10'] },
    { fault: 'hook-ignores-running', breaks: ['GS-DW-01', 'GS-DW-07', 'GS-DW-12', 'GS-DW-27'] },
    { fault: 'kubelet-kills-early', breaks: ['GS-DW-08', 'GS-DW-27', 'GS-LM-02'] },
  ],
});
