import { alone, decide, pod, scenario } from './scenario.ts';

const idle = ['idle-15', 'idle-30', 'idle-45', 'idle-600'];
const busy = ['busy-15', 'busy-30', 'busy-45'];

/** Idle and busy replicas of the same deployment at several graces, all deleted at one instant. */
export default scenario({
  id: 'grace-ladder',
  title: 'only the wait between the first and the last 5 s moves with the grace',
  deploy: alone(
    { name: 'g15', replicas: 2, terminationGracePeriodSeconds: 15 },
    { name: 'g30', replicas: 2, terminationGracePeriodSeconds: 30 },
    { name: 'g45', replicas: 2, terminationGracePeriodSeconds: 45 },
    { name: 'g600', replicas: 1, terminationGracePeriodSeconds: 600 },
  ),
  cases: {
    'idle-15': pod('g15', 0),
    'idle-30': pod('g30', 0),
    'idle-45': pod('g45', 0),
    'idle-600': pod('g600', 0),
    'busy-15': pod('g15', 1, null),
    'busy-30': pod('g30', 1, null),
    'busy-45': pod('g45', 1, null),
  },
  load: {
    placed: [
      ...busy.map((name) => ({ name: `outlasts-${name}`, to: { case: name }, starts: -3, ends: 55 })),
      { name: 'middle-15', to: { case: 'busy-15' }, starts: -3, ends: 25 },
      { name: 'middle-45', to: { case: 'busy-45' }, starts: -3, ends: 25 },
    ],
  },
  before: [
    ...busy.map((name) => ({ kind: 'stream-open' as const, case: name })),
    ...idle.map((name) => ({ kind: 'idle' as const, case: name })),
  ],
  act: [{ at: 0, do: 'delete', cases: [...idle, ...busy] }],
  until: { gone: [...idle, ...busy], atMost: 60 },
  decides: [
    {
      requirement: 'GS-DW-02',
      cases: idle,
      given: { asked: { g15: 15, g30: 30, g45: 45, g600: 600 } },
    },
    ...decide(['GS-DW-06', 'GS-DW-10', 'GS-DW-13'], idle),
    ...decide(['GS-DW-08', 'GS-DW-27', 'GS-DW-28'], busy),
    ...decide(['GS-DW-11'], [...idle, ...busy]),
    { requirement: 'GS-DW-32', cases: ['busy-15', 'busy-45'], given: { cut: 'middle-15', whole: 'middle-45' } },
  ],
  controls: [
    { fault: 'hook-settle-long', breaks: ['GS-DW-06', 'GS-DW-11', 'GS-DW-13'] },
    { fault: 'hook-settle-short', breaks: ['GS-DW-06', 'GS-DW-11', 'GS-DW-13'] },
    { fault: 'hook-one-idle-read', breaks: ['GS-DW-06', 'GS-DW-11', 'GS-DW-13'] },
    { fault: 'hook-waits-for-grace', breaks: ['GS-DW-06', 'GS-DW-11', 'GS-DW-13'] },
    { fault: 'hook-reserve-proportional', breaks: ['GS-DW-11', 'GS-DW-27'] },
    { fault: 'hook-late-bound', breaks: ['GS-DW-08', 'GS-DW-11', 'GS-DW-28'] },
    { fault: 'engine-slow-exit', breaks: ['GS-DW-10', 'GS-DW-13'] },
    { fault: 'engine-cuts-early', breaks: ['GS-DW-32'] },
  ],
});
