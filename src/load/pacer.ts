import { now } from '../time/clock.ts';

/** Below this many milliseconds a timer is too coarse, and the event loop is asked again at each of its turns. */
const FINE_MS = 1;

/** The longest wait that `setTimeout` takes, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Calls `due` for each instant (milliseconds of the harness's clock, ascending), never early, and late only by what the
 * event loop is late. The last millisecond before an instant is spent on turns of the loop, which serve everything else.
 */
export class Pacer {
  readonly #instants: readonly number[];
  readonly #due: (index: number) => void;
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(instants: readonly number[], due: (index: number) => void) {
    this.#instants = instants;
    this.#due = due;
    this.#wait();
  }

  /** No further instant is called; answers the index of the first that was not. */
  stop(): number {
    const { length } = this.#instants;
    const first = this.#next;
    this.#next = length;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    return first;
  }

  readonly #wait = (): void => {
    for (;;) {
      const instant = this.#instants[this.#next];
      if (instant === undefined) return;
      const left = instant - now();
      if (left > FINE_MS) {
        this.#timer = setTimeout(this.#wait, Math.min(Math.floor(left - FINE_MS), LONGEST_MS));
        return;
      }
      if (left > 0) {
        this.#immediate = setImmediate(this.#wait);
        return;
      }
      this.#next += 1;
      this.#due(this.#next - 1);
    }
  };
}
