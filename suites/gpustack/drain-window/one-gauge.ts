import { alone, decide, pod, scenario } from './scenario.ts';

/** Each gauge alone above 0, and one busy series among two. */
export default scenario({
  id: 'one-gauge',
  title: 'each gauge alone keeps the replica busy, and so does one series of several',
  deploy: alone(
    { name: 'running', replicas: 1 },
    { name: 'waiting', replicas: 1 },
    { name: 'ranks', replicas: 1, extraArgs: ['--data-parallel-size', '2'], engine: { ranks: 2 } },
  ),
  cases: { running: pod('running', 0, 10), waiting: pod('waiting', 0, 10), ranks: pod('ranks', 0, 10) },
  load: {
    placed: [
      { name: 'runs', to: { case: 'running' }, starts: -4, ends: 10 },
      { name: 'waits', to: { case: 'waiting' }, starts: -4, waitsForKv: 14, tokens: 1 },
      { name: 'on-one-rank', to: { case: 'ranks' }, starts: -4, ends: 10 },
    ],
  },
  act: [{ at: 0, do: 'delete', cases: ['running', 'waiting', 'ranks'] }],
  until: { gone: ['running', 'waiting', 'ranks'], atMost: 40 },
  decides: [
    ...['running', 'waiting'].map((name) => ({
      requirement: 'GS-DW-19',
      cases: [name],
      part: name,
      given: { gauge: `vllm:num_requests_${name}` },
    })),
    { requirement: 'GS-DW-30', cases: ['ranks'], given: { ranks: 2 } },
    ...decide(['GS-DW-07'], ['running', 'ranks']),
  ],
  controls: [],
});
