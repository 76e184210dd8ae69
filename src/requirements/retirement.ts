import type { Seconds } from '../time/scale.ts';

/** The constants of GPUStack's retirement protocol. Pages: "Model Deployment Shutdown" and the status page, v0.9.2. */
export const retirement = {
  /** "The withdrawal budget expires after 30 seconds". */
  withdrawBudget: 30 as Seconds,
  /** "The drain budget"; the number stands on the status page alone. */
  drainBudget: 240 as Seconds,
  /** For the release to be seen after the delete; its end changes the reason alone. Status page. */
  settleBudget: 30 as Seconds,
  /** "The operation's total"; the number stands on the status page alone. */
  total: 300 as Seconds,
  /** How long the exec of one member read may take. Table of the bounds of a member read. */
  readSeconds: 5 as Seconds,
  /** How long a member read waits for the engine's answer. Same table. */
  answerSeconds: 2 as Seconds,
  /** Size of the answer that a member read takes. Same table: 1 MiB. */
  readBytes: 1024 * 1024,
  /** "A member must read idle twice". */
  idleReads: 2,
  /** How long a router's view tells of the pool, and how long a dispatch counts as recent. Operator source. */
  observerFreshness: 15 as Seconds,
} as const;
