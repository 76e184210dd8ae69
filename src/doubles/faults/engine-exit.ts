import type { Fault } from './fault.ts';

/** Faults of how an engine ends. */
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
    breaks: ['GS-DW-34', 'GS-DW-35'],
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
    name: 'sglang-force-ignored',
    double: 'engine',
    does: 'lets an SGLang server drain although SGL_FORCE_SHUTDOWN is set',
    breaks: ['GS-DW-35'],
  },
  {
    name: 'vllm-drain-skipped',
    double: 'engine',
    does: 'lets vLLM abort at SIGTERM although --shutdown-timeout tells it to wait',
    breaks: ['GS-DW-36'],
    seenInField: "vllm #49668, #50916: uvicorn's own signal handlers replaced vLLM's",
  },
  {
    name: 'vllm-serves-while-waiting',
    double: 'engine',
    does: 'lets a vLLM that waits after SIGTERM serve new requests',
    breaks: ['GS-DW-36'],
    seenInField: 'SGLang does so by design: a router that keeps sending holds its drain for ever',
  },
  {
    name: 'sglang-kv-gauges-zero',
    double: 'engine',
    does: 'shows 0 in the gauges of the queues in which a split SGLang waits for KV',
    breaks: ['GS-DW-19', 'GS-RP-30'],
    seenInField: 'SGLang names of these gauges changed within 0.5.x; the old ones stay at 0 or are gone',
  },
];
