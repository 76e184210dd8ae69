import type { Seconds } from '../time/scale.ts';

/** How an SGLang prefill or decode replica ends. Page: "Model Deployment Shutdown", v0.9.2. */
export const splitSglang = {
  /** "The engine waits a fixed 15 s for that scheduler before killing it", from SGLang 0.5.14 on. */
  schedulerWait: 15 as Seconds,
  /** "Up to about 20 s after SIGTERM, even idle". */
  exitSeconds: 20 as Seconds,
  /** The slower of the two measured: a prefiller left 28 s after its delete, 22 s after a signal at 6 s. */
  slowestExit: 22 as Seconds,
  /** "Set its terminationGracePeriodSeconds to about 45". */
  splitGrace: 45 as Seconds,
} as const;
