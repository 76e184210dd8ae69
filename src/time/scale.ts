import type { Interval } from './interval.ts';

/** Documented seconds: the seconds of the two documents, which may run faster than the wall. */
export type Seconds = number;

/** The default time scale: five documented seconds pass in one second of the wall. */
export const DEFAULT_TIME_SCALE = 5;

/** Turns documented seconds into milliseconds of the wall and back; one factor for the whole run, kept in the manifest. */
export class TimeScale {
  readonly factor: number;

  /** @throws RangeError unless `factor` is a finite number above 0 and at most 100 */
  constructor(factor: number = DEFAULT_TIME_SCALE) {
    if (!Number.isFinite(factor) || factor <= 0 || factor > 100) {
      throw new RangeError(
        `time scale ${factor}: expected a number above 0 and at most 100, such as 1 (real time) or 5`,
      );
    }
    this.factor = factor;
  }

  /** Milliseconds of the wall that `seconds` documented seconds take. */
  toMs(seconds: Seconds): number {
    return (seconds * 1000) / this.factor;
  }

  /** Documented seconds that `ms` milliseconds of the wall are. */
  toSeconds(ms: number): Seconds {
    return (ms * this.factor) / 1000;
  }

  intervalToSeconds([lo, hi]: Interval): Interval {
    return [this.toSeconds(lo), this.toSeconds(hi)];
  }
}
