import type { TimeScale } from '../../time/scale.ts';

/** When a worker that fails is left alone, and for how long. */
export interface BreakerOptions {
  /** Failures in a row that open it. */
  failures: number;
  /** Successes in a row that close it again. */
  successes: number;
  /** Documented seconds that it stays open. */
  open: number;
}

/**
 * The circuit breaker of one worker: open after so many failed attempts in a row, half open after its time, closed after so
 * many successes. An answer that was cut in its middle is no failure: it began well.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #scale: TimeScale;
  #failures = 0;
  #successes = 0;
  #openedAt: number | undefined;

  constructor(options: BreakerOptions, scale: TimeScale) {
    this.#options = options;
    this.#scale = scale;
  }

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.#openedAt === undefined) return 'closed';
    return performance.now() - this.#openedAt < this.#scale.toMs(this.#options.open) ? 'open' : 'half-open';
  }

  get letsPass(): boolean {
    return this.state !== 'open';
  }

  record(success: boolean): void {
    if (success) {
      this.#failures = 0;
      this.#successes += 1;
      if (this.#successes >= this.#options.successes) this.#openedAt = undefined;
      return;
    }
    this.#successes = 0;
    this.#failures += 1;
    if (this.state === 'half-open' || this.#failures >= this.#options.failures) this.#openedAt = performance.now();
  }
}
