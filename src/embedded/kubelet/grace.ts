import type { Seconds, TimeScale } from '../../time/scale.ts';
import { now } from '../../time/clock.ts';

/**
 * The grace of one container's end as a kubelet counts it: whatever is waited for first (the hook, the turn of a sidecar)
 * is taken off in whole seconds, cut; what is left is the time between SIGTERM and SIGKILL. All in documented seconds.
 */
export class GraceClock {
  readonly #scale: TimeScale;
  /** Seconds that were left when the present wait began. */
  #budget: Seconds;
  #since = now();
  #expire: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(scale: TimeScale, grace: Seconds) {
    this.#scale = scale;
    this.#budget = grace;
  }

  /** Seconds left of the grace, as counted at the end of the last wait. */
  get left(): Seconds {
    return this.#budget;
  }

  /** Waits for `promise`, at most for what is left; answers whether it settled in time. */
  async wait(promise: Promise<unknown>): Promise<boolean> {
    this.#since = now();
    const over = new Promise<false>((resolve) => (this.#expire = () => resolve(false)));
    this.#arm();
    const settled = await Promise.race([
      promise.then(
        () => true,
        () => true,
      ),
      over,
    ]);
    clearTimeout(this.#timer);
    this.#expire = undefined;
    this.#budget = settled ? Math.max(0, this.#budget - Math.floor(this.#elapsed())) : 0;
    return settled;
  }

  /** What is left is at least this much: a real kubelet gives every process 2 s after its SIGTERM. */
  atLeast(seconds: Seconds): void {
    this.#budget = Math.max(this.#budget, seconds);
  }

  /** A later delete with a shorter grace: from now on at most `seconds` are left. */
  shorten(seconds: Seconds): void {
    if (this.#budget - this.#elapsed() <= seconds) return;
    this.#budget = seconds;
    this.#since = now();
    if (this.#expire) this.#arm();
  }

  #elapsed(): Seconds {
    return this.#scale.toSeconds(now() - this.#since);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#expire?.(),
      Math.ceil(Math.max(0, this.#scale.toMs(this.#budget) - (now() - this.#since))),
    );
  }
}
