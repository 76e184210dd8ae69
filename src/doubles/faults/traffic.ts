import type { Fault } from './fault.ts';

/** Faults of what carries requests: router and engine. */
export const trafficFaults: readonly Fault[] = [
  {
    name: 'router-keeps-leaving',
    double: 'vllm-router',
    does: 'goes on choosing a replica that has a deletion timestamp',
    breaks: ['GS-DW-04'],
    seenInField: 'GPUStack operator specs: 26 of 79 requests still reached a target that had lost its label',
  },
  {
    name: 'router-drops-late',
    double: 'vllm-router',
    does: 'drops a leaving replica 8 s after its deletion timestamp',
    breaks: ['GS-DW-04'],
    seenInField: 'smg 1.13 looks once a second; vllm-router loses a delete during a severed watch',
  },
  {
    name: 'router-retries-midstream',
    double: 'vllm-router',
    does: 'sends a request that was cut in mid-stream to another replica, from its start',
    breaks: ['GS-LM-01', 'GS-LM-03', 'GS-LM-05'],
    seenInField: 'vllm-router makes 5 attempts before the first byte, where the page says it makes one',
  },
  {
    name: 'engine-drops-at-first-read',
    double: 'vllm',
    does: 'loses its running requests at the first read of the hook, long before any signal',
    breaks: ['GS-DW-05', 'GS-DW-12', 'GS-DW-32', 'GS-LM-01'],
  },
  {
    name: 'engine-cuts-early',
    double: 'vllm',
    does: 'loses the last second of each request that would end while the replica drains',
    breaks: ['GS-DW-05', 'GS-DW-12', 'GS-DW-32', 'GS-LM-01'],
  },
  {
    name: 'engine-slow-exit',
    double: 'vllm',
    does: 'never exits by itself after SIGTERM',
    breaks: ['GS-DW-10', 'GS-DW-13'],
    seenInField: 'vLLM 0.32 stayed silent after SIGTERM until the kill in 12 of 21 runs',
  },
  {
    name: 'engine-gauge-lies-zero',
    double: 'vllm',
    does: 'shows 0 in every gauge, whatever runs',
    breaks: ['GS-DW-01', 'GS-DW-07', 'GS-DW-12', 'GS-DW-19', 'GS-DW-27', 'GS-DW-30', 'GS-DW-32', 'GS-LM-01'],
  },
  {
    name: 'engine-gauges-absent',
    double: 'vllm',
    does: 'shows none of the gauges that the hook sums',
    breaks: ['GS-DW-01', 'GS-DW-07', 'GS-DW-12', 'GS-DW-19', 'GS-DW-27', 'GS-DW-30', 'GS-DW-32', 'GS-LM-01'],
    seenInField: 'GPUStack operator source: the hook counts an absent gauge as 0',
  },
];
