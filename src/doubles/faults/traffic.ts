import type { Fault } from './fault.ts';

/** Faults of the engine. */
export const trafficFaults: readonly Fault[] = [
  {
    name: 'engine-drops-at-first-read',
    double: 'engine',
    does: 'loses its running requests at the first read of the hook, long before any signal',
    breaks: ['GS-DW-05', 'GS-DW-12', 'GS-DW-32', 'GS-LM-01'],
  },
  {
    name: 'engine-cuts-early',
    double: 'engine',
    does: 'loses the last second of each request that would end while the replica drains',
    breaks: ['GS-DW-05', 'GS-DW-12', 'GS-DW-32', 'GS-LM-01'],
  },
  {
    name: 'engine-slow-exit',
    double: 'engine',
    does: 'never exits by itself after SIGTERM',
    breaks: ['GS-DW-10', 'GS-DW-13'],
    seenInField: 'vLLM 0.32 stayed silent after SIGTERM until the kill in 12 of 21 runs',
  },
  {
    name: 'engine-gauge-lies-zero',
    double: 'engine',
    does: 'shows 0 in every gauge, whatever runs',
    breaks: ['GS-DW-01', 'GS-DW-07', 'GS-DW-12', 'GS-DW-19', 'GS-DW-27', 'GS-DW-30', 'GS-DW-32', 'GS-LM-01'],
  },
];
