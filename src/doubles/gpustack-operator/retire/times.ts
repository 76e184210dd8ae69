import { retirement as budgets } from '../../../requirements/retirement.ts';
import type { Retirement, RetirementState } from '../../../systems/gpustack/types.ts';
import type { Seconds, TimeScale } from '../../../time/scale.ts';
import type { Faults } from '../faults.ts';

/**
 * The clock of an operation: instants are stored as text in the status, so that another process goes on by them.
 * At time scale 1 they are whole seconds, as the API writes times; above it a whole second is many documented ones, so
 * they carry milliseconds.
 */
export class OperationClock {
  readonly #scale: TimeScale;
  readonly #faults: Faults;

  constructor(scale: TimeScale, faults: Faults) {
    this.#scale = scale;
    this.#faults = faults;
  }

  /** An instant some documented seconds from now. */
  stamp(inSeconds: Seconds = 0): string {
    const at = new Date(Date.now() + this.#scale.toMs(inSeconds)).toISOString();
    return this.#scale.factor === 1 ? at.replace(/\.\d+Z$/, 'Z') : at;
  }

  /** Documented seconds since an instant. */
  since(stamp: string): Seconds {
    return this.#scale.toSeconds(Date.now() - Date.parse(stamp));
  }

  /** Documented seconds that the present phase has left; 0 or less: it is exhausted, equality included. */
  left(operation: Retirement): Seconds {
    const total = -this.since(operation.deadline);
    return Math.min(total, this.#budget(operation.state) - this.since(operation.phaseStartedAt));
  }

  #budget(state: RetirementState): Seconds {
    switch (state) {
      case 'Admitted':
      case 'Disqualified':
      case 'Withdrawing':
        return budgets.withdrawBudget;
      case 'Settling':
        return budgets.settleBudget;
      case 'Aborted':
        return Infinity;
      default:
        return this.#faults.has('retire-drain-budget-halved') ? budgets.drainBudget / 2 : budgets.drainBudget;
    }
  }
}
