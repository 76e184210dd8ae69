import type { Seconds } from '../../time/scale.ts';

/** Seconds until the first restart of a container: measured about 1 s, with no `waiting` state. */
const FIRST: Seconds = 1;
/** Back-off before the second restart; doubles up to the longest. Kubernetes: 10 s, five minutes. */
const BACK_OFF: Seconds = 10;
const LONGEST: Seconds = 300;
/** A container that ran this long starts over with the first restart. Kubernetes: ten minutes. */
const STEADY: Seconds = 600;
/**
 * A kubelet looks at a failed Pod again after 10 to 15 s; only then the state changes from `terminated` to `waiting`, and
 * only then it restarts where the back-off is over. Measured: `waiting` after 14 to 15 s, restarts after 15.0 and 26 s.
 */
const SECOND_LOOK: Seconds = 14.5;
const LATER_LOOKS: Seconds = 11.5;
const SOONEST: Seconds = 15;

/** What comes after an end, in documented seconds from it. */
export interface Restart {
  after: Seconds;
  /** Absent for the first restart. */
  waiting?: { after: Seconds; backOff: Seconds };
}

/** The back-off of a container that ends again and again, with the delays and states measured on a real kubelet. */
export class CrashLoop {
  #restarts = 0;

  /** `ran`: documented seconds of the run that has just ended. */
  next(ran: Seconds): Restart {
    if (ran >= STEADY) this.#restarts = 0;
    this.#restarts += 1;
    if (this.#restarts === 1) return { after: FIRST };
    const backOff = Math.min(LONGEST, BACK_OFF * 2 ** (this.#restarts - 2));
    let look = SECOND_LOOK;
    while (look < backOff) look += LATER_LOOKS;
    return { after: Math.max(look, SOONEST), waiting: { after: SECOND_LOOK, backOff } };
  }
}
