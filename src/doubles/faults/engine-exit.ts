import type { Fault } from './fault.ts';

/** Faults of how an SGLang server ends. */
export const engineExitFaults: readonly Fault[] = [
  {
    name: 'sglang-aborts-at-sigterm',
    double: 'engine',
    does: 'aborts the running requests of an SGLang server at SIGTERM instead of draining them',
    breaks: ['GS-LM-02'],
    seenInField: 'uvicorn between two releases cut streams at the signal; sse-starlette 3.1 still does',
  },
  {
    name: 'sglang-skips-wait',
    double: 'engine',
    does: 'lets a split SGLang server exit without the 15 s for its scheduler',
    breaks: ['GS-DW-34'],
    seenInField: 'SGLang before 0.5.14',
  },
  {
    name: 'sglang-scheduler-hangs',
    double: 'engine',
    does: 'makes a split SGLang server wait 45 s for its scheduler',
    breaks: ['GS-DW-16', 'GS-DW-17', 'GS-LM-06'],
    seenInField: 'public SGLang reports of schedulers that outlive their server',
  },
  {
    name: 'sglang-kv-gauges-zero',
    double: 'engine',
    does: 'shows 0 in the gauges of the queues in which a split SGLang waits for KV',
    breaks: ['GS-DW-19', 'GS-RP-30'],
    seenInField: 'SGLang names of these gauges changed within 0.5.x; the old ones stay at 0 or are gone',
  },
];
