import { alone, decide, pod, scenario } from './scenario.ts';

/** Each gauge alone above 0, and one busy series among two. */
export default scenario({
  id: 'one-gauge',
  title: 'each gauge alone keeps the replica busy, and so does one series of several',
  deploy: alone(
    { name: 'running', replicas: 1 },
    { name: 'waiting', replicas: 1 },
    { name: 'pulsed', replicas: 1 },
    { name: 'ranks', replicas: 1, extraArgs: ['--data-parallel-size', '2'], engine: { ranks: 2 } },
  ),
  cases: {
    pulsed: pod('pulsed', 0, 12),
    running: pod('running', 0, 8.75),
    waiting: pod('waiting', 0, 8.75),
    ranks: pod('ranks', 0, 8.75),
  },
  load: {
    placed: [
      { name: 'runs', to: { case: 'running' }, starts: -4, ends: 8.75 },
      { name: 'waits', to: { case: 'waiting' }, starts: -4, waitsForKv: 12.5, tokens: 1 },
      { name: 'on-one-rank', to: { case: 'ranks' }, starts: -4, ends: 8.75 },
    ],
    // Busy for 1 s, idle for 1 s: never two idle reads in a row, but many of them.
    steady: [
      { name: 'pulses', to: { case: 'pulsed' }, rate: 0.5, arrivals: 'constant', starts: -3.25, ends: 13, tokens: 4 },
    ],
  },
  act: [{ at: 0, do: 'delete', cases: ['running', 'waiting', 'ranks', 'pulsed'] }],
  until: { gone: ['running', 'waiting', 'ranks', 'pulsed'], atMost: 40 },
  decides: [
    ...['running', 'waiting'].map((name) => ({
      requirement: 'GS-DW-19',
      cases: [name],
      part: name,
      given: { alone: { [name]: `vllm:num_requests_${name}` } },
    })),
    { requirement: 'GS-DW-30', cases: ['ranks'], given: { ranks: 2 } },
    ...decide(['GS-DW-07'], ['running', 'ranks', 'pulsed']),
  ],
  controls: [
    { fault: 'hook-idle-not-in-a-row', breaks: ['GS-DW-07'] },
    { fault: 'hook-ignores-running', breaks: ['GS-DW-07', 'GS-DW-19', 'GS-DW-30'] },
    { fault: 'hook-ignores-waiting', breaks: ['GS-DW-19'] },
    { fault: 'hook-first-series-only', breaks: ['GS-DW-07', 'GS-DW-30'] },
  ],
});
