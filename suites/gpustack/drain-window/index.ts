import type { Scenario } from '../../../src/scenario/scenario.ts';
import admission from './admission.ts';
import { errorFrame, flush, silence } from './busy-to-the-end.ts';
import { eviction, preemption, rollout } from './causes.ts';
import deleteDrains from './delete-drains.ts';
import graceEdit from './grace-edit.ts';
import graceLadder from './grace-ladder.ts';
import ignoresSigterm from './ignores-sigterm.ts';
import lateHang from './late-hang.ts';
import listener from './listener.ts';
import movedPort from './moved-port.ts';
import oneGauge from './one-gauge.ts';
import rolloutOneAtATime from './rollout-one-at-a-time.ts';
import slowEngine from './slow-engine.ts';
import takeOver from './take-over.ts';
import unreadable from './unreadable.ts';
import upgrade from './upgrade.ts';

/** The scenarios of the drain window, those with the longest chain of waits first. */
export const drainWindow: readonly Scenario[] = [
  graceLadder,
  rolloutOneAtATime,
  graceEdit,
  upgrade,
  rollout,
  unreadable,
  flush,
  deleteDrains,
  oneGauge,
  slowEngine,
  silence,
  errorFrame,
  preemption,
  eviction,
  listener,
  ignoresSigterm,
  lateHang,
  takeOver,
  movedPort,
  admission,
];
