import { gauges } from '../requirements/drain-window.ts';
import { splitSglang } from '../requirements/split-sglang.ts';
import type { Seconds } from '../time/scale.ts';

/** What SGLang's server is told to be: everything, or one half of a split pair. */
export type SglangMode = 'unified' | 'prefill' | 'decode';

/**
 * What is known of SGLang's server, 0.5.18 where versions differ: how it is called, what it logs, which gauges tell that
 * it works, and how it ends. Read in its source; the times of an idle end were measured on real servers.
 */
export const sglang = {
  name: 'SGLang',
  module: 'sglang.launch_server',
  defaultPort: 30000,
  defaultMaxRunning: 256,
  /** What makes it log which requests it received, by their ids (level 0: nothing of their text). */
  logRequests: ['--log-requests', '--log-requests-level', '0'],
  gauges: gauges.sglang,
  /** Written by the signal handler itself: the instant at which the signal arrived. */
  signalledMark: 'SIGTERM received. signum=',
  modeFlag: '--disaggregation-mode',
  /** The queues in which a request waits, by the gauge that counts it, in the order in which it passes them. */
  queues: {
    unified: { queue: 'sglang:num_queue_reqs' },
    prefill: {
      bootstrap: 'sglang:num_prefill_bootstrap_queue_reqs',
      queue: 'sglang:num_queue_reqs',
      inflight: 'sglang:num_prefill_inflight_queue_reqs',
    },
    decode: {
      prealloc: 'sglang:num_decode_prealloc_queue_reqs',
      transfer: 'sglang:num_decode_transfer_queue_reqs',
      queue: 'sglang:num_queue_reqs',
    },
  },
  /** The watchdog looks for a signal this often, and the drain for its end: an idle server leaves within it. */
  watchdog: 5 as Seconds,
  /** A split server waits this long for its scheduler once it has drained. */
  schedulerWait: splitSglang.schedulerWait,
  /** In the environment: skips the drain, not the wait for the scheduler. */
  forceVariable: 'SGL_FORCE_SHUTDOWN',
  /** It kills its own process tree in the end, itself included: 137, whoever asked for it. */
  exitCode: 137,
} as const;

/** The `rid` of a request that a line of an SGLang server's log tells to have arrived. */
export const receivedBySglang = (text: string): string | undefined =>
  /\bReceive: obj=\w+\(rid='([^']+)'/.exec(text)?.[1];
