import { KubeError } from '../../cluster/errors.ts';

/** Milliseconds of the wall before a failed key is tried again: first, and at most. */
const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 1000;

/** A failure that repeats this often is told; a conflict or two is everyday life. */
const TELL_AFTER = 5;

/**
 * A level-triggered work queue: each key is reconciled by one call at a time, again if it was added meanwhile, and again
 * with growing delay if it failed. Different keys run side by side.
 */
export class WorkQueue {
  readonly #name: string;
  readonly #reconcile: (key: string) => Promise<void>;
  readonly #log: (line: string) => void;
  readonly #running = new Set<string>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { due: number; timer: NodeJS.Timeout }>();
  #stopped = false;

  constructor(name: string, reconcile: (key: string) => Promise<void>, log: (line: string) => void) {
    this.#name = name;
    this.#reconcile = reconcile;
    this.#log = log;
  }

  add(key: string): void {
    if (this.#stopped) return;
    if (this.#running.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#running.add(key);
    // Not before the present burst of watch lines is read: one reconcile then sees all of it.
    setImmediate(() => void this.#run(key));
  }

  /** Adds a key after some milliseconds of the wall; the earliest wish for a key wins. */
  addAfter(key: string, ms: number): void {
    const due = performance.now() + ms;
    const former = this.#timers.get(key);
    if (this.#stopped || (former && former.due <= due)) return;
    clearTimeout(former?.timer);
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.add(key);
    }, ms);
    timer.unref();
    this.#timers.set(key, { due, timer });
  }

  stop(): void {
    this.#stopped = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #run(key: string): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.#reconcile(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#failed(key, error);
    } finally {
      this.#running.delete(key);
      if (this.#again.delete(key)) this.add(key);
    }
  }

  #failed(key: string, error: unknown): void {
    if (this.#stopped) return;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const unknown = !(error instanceof KubeError);
    if (unknown || failures % TELL_AFTER === 0) {
      const text = unknown && error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#log(`${this.#name}: ${key}: failed ${failures} times: ${text}`);
    }
    this.addAfter(key, Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS));
  }
}
