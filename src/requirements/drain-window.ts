import type { Seconds } from '../time/scale.ts';

/**
 * The constants of GPUStack's drain window, each with the sentence or table that states it. They stand here and nowhere
 * else: the doubles behave by them, the judges measure against them. Page: "Model Deployment Shutdown", v0.9.2.
 */
export const drainWindow = {
  /** The engine serves normally for this long before the hook reads anything. Table 1, "0-5 s"; "the first 5 s". */
  settle: 5 as Seconds,
  /** Pause between two reads. Table 1, "reads ... once a second". */
  poll: 1 as Seconds,
  /** Idle reads in a row that end the hook. Table 1, "returns on the second idle read". */
  idleReads: 2,
  /** A read without an answer for this long counts as busy. Operator source, section 2.1 of the reference. */
  readTimeout: 1 as Seconds,
  /** No read starts in the last seconds of the grace. Table 1, "no read after G - 5"; "the last 5 s". */
  exitReserve: 5 as Seconds,
  /** SIGTERM arrives this long before the end of the grace at the latest. Table 1, "G - 3". */
  signalReserve: 3 as Seconds,
  /** An idle replica's hook returns about this long after the delete. "about 6 s after its delete, whatever G is". */
  idleHook: 6 as Seconds,
} as const;

/** The grace of a role. "`roles[].terminationGracePeriodSeconds`, 30 when unset"; "admission takes from 15 to 3600". */
export const grace = { unset: 30 as Seconds, lowest: 15 as Seconds, highest: 3600 as Seconds } as const;

/** What the hook sums on each engine. Table 2 of the page. */
export const gauges = {
  vllm: ['vllm:num_requests_running', 'vllm:num_requests_waiting'],
  sglang: [
    'sglang:num_running_reqs',
    'sglang:num_queue_reqs',
    'sglang:num_prefill_bootstrap_queue_reqs',
    'sglang:num_prefill_inflight_queue_reqs',
    'sglang:num_decode_prealloc_queue_reqs',
    'sglang:num_decode_transfer_queue_reqs',
  ],
} as const;
