import type { Seconds, TimeScale } from '../../time/scale.ts';
import { kubeletFaults } from '../faults.ts';
import { GraceClock } from './grace.ts';
import type { HostProcess } from './host-process.ts';
import { pause, within } from './stamps.ts';

/** "The minimum of 2 s before SIGKILL", documented seconds: `minimumGracePeriodInSeconds` of the kubelet, measured too. */
const MINIMUM_GRACE: Seconds = 2;
/** Milliseconds of the wall that the Killing event is waited for, so that it stands before the hook. */
const ANNOUNCE_MS = 20;
const EARLY: Seconds = 8;
const LATE: Seconds = 10;
const DELAY: Seconds = 4;

export interface EndingOptions {
  scale: TimeScale;
  grace: Seconds;
  process: Pick<HostProcess, 'signal' | 'kill' | 'exited'>;
  /** Settles when the API server has the Killing event. */
  announced: Promise<void>;
  /** Runs the preStop hook; undefined is success. Absent: there is none. */
  hook?: (() => Promise<string | undefined>) | undefined;
  /** What a sidecar waits for before its SIGTERM: the containers that end before it. */
  turn?: Promise<unknown> | undefined;
  faults: ReadonlySet<string>;
  log: (message: string, values?: Record<string, string | number>) => void;
  hookFailed: (problem: string) => void;
}

/**
 * The end of one container, as measured on a real kubelet: the hook, then the turn of a sidecar, then SIGTERM, and SIGKILL
 * when the grace that all of them share is used up, though never sooner than 2 s after SIGTERM.
 */
export class Ending {
  readonly #options: EndingOptions;
  readonly #clock: GraceClock;
  readonly #over = new AbortController();
  /** Settles when the program has ended. */
  readonly done: Promise<void>;

  constructor(options: EndingOptions) {
    this.#options = options;
    this.#clock = new GraceClock(options.scale, options.grace);
    this.done = this.#run().finally(() => this.#over.abort());
  }

  /** A later delete with a shorter grace. */
  shorten(grace: Seconds): void {
    this.#clock.shorten(grace);
  }

  async #run(): Promise<void> {
    const { process, grace, faults, announced, turn, log } = this.#options;
    log('Killing container with a grace period', { gracePeriod: grace });
    if (faults.has(kubeletFaults.killsEarly)) void this.#killEarly();
    await this.#wait(within(ANNOUNCE_MS, announced));
    const hookFirst = !faults.has(kubeletFaults.sigtermFirst);
    if (!hookFirst) this.#signal('SIGTERM');
    const hooked = await this.#hook();
    if (turn && this.#clock.left > 0) await this.#wait(turn);
    if (hooked && faults.has(kubeletFaults.signalLate)) await this.#wait(this.#pause(DELAY));
    this.#clock.atLeast(MINIMUM_GRACE);
    if (faults.has(kubeletFaults.neverKills)) this.#clock.atLeast(this.#clock.left + LATE);
    if (hookFirst) this.#signal('SIGTERM');
    if (!(await this.#clock.wait(process.exited))) this.#signal('SIGKILL');
    await process.exited;
  }

  /** Answers whether there was a hook to run. */
  async #hook(): Promise<boolean> {
    const { hook, log, hookFailed, faults, grace } = this.#options;
    if (!hook || this.#clock.left <= 0) return false;
    if (faults.has(kubeletFaults.lateHook)) await this.#wait(this.#pause(DELAY));
    log('Running preStop hook');
    const outcome = hook().then((problem) => {
      if (problem === undefined) log('PreStop hook completed');
      else {
        log('PreStop hook failed', { err: problem });
        hookFailed(problem);
      }
    });
    const settled = await this.#wait(outcome);
    if (!settled) log('PreStop hook not completed in grace period', { gracePeriod: grace });
    return true;
  }

  /** Waits within the grace; the end of the program ends the wait. */
  #wait(promise: Promise<unknown>): Promise<boolean> {
    return this.#clock.wait(Promise.race([promise, this.#options.process.exited]));
  }

  #pause(seconds: Seconds): Promise<boolean> {
    return pause(this.#options.scale.toMs(seconds), this.#over.signal);
  }

  async #killEarly(): Promise<void> {
    if (await this.#pause(Math.max(0, this.#options.grace - EARLY))) this.#signal('SIGKILL');
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#options.log('Sending signal', { signal });
    if (signal === 'SIGKILL') this.#options.process.kill();
    else this.#options.process.signal(signal);
  }
}
