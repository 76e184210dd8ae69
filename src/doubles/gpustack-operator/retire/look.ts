import type { ModelDeployment, Retirement } from '../../../systems/gpustack/types.ts';
import type { Seconds } from '../../../time/scale.ts';
import type { Context } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import type { OperationClock } from './times.ts';

/** Everything that one step is decided by. */
export interface Look {
  deployment: ModelDeployment;
  snapshot: Snapshot;
  context: Context;
  clock: OperationClock;
  /** For a fault alone: operations that were held for work once, by their start. */
  heldOnce: Set<string>;
}

/** What a step came to: the operation as it now is (null: there is none any more), and when to look again. */
export interface Step {
  operation: Retirement | null;
  /** The deployment as a write of this step left it, for the lock of the next write. */
  deployment: ModelDeployment;
  /** Documented seconds; undefined: only when something changes. */
  again?: Seconds;
}
