import type { Scenario } from '../../../src/scenario/scenario.ts';
import budgets from './budgets.ts';
import causes from './causes.ts';
import cleanup from './cleanup.ts';
import groups from './groups.ts';
import heldKinds from './held-kinds.ts';
import heldReads from './held-reads.ts';
export { kills } from './kills.ts';
import llmD from './llm-d.ts';
import noRouter from './no-router.ts';
import otherRemovals from './other-removals.ts';
import queue from './queue.ts';
import reads from './reads.ts';
import { refusedSplit, waitingSplit } from './refused.ts';
import { busyTarget, idleTarget } from './scale-down.ts';

/** The scenarios of the retirement protocol, those with the longest chain of waits first. */
export const retirement: readonly Scenario[] = [
  budgets,
  noRouter,
  cleanup,
  llmD,
  busyTarget,
  otherRemovals,
  heldKinds,
  groups,
  heldReads,
  refusedSplit,
  waitingSplit,
  queue,
  reads,
  idleTarget,
  causes,
];
