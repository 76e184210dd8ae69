/** One request as the engine's core sees it. Times are milliseconds of the wall. */
export interface Job {
  tokens: number;
  /** How it ends once it has all its tokens. */
  finish: 'length' | 'stop';
  tokenMs: number;
  /** Queues in which it waits before it can run, one after the other, each with its time. */
  waits: readonly { in: string; ms: number }[];
  /** Queues in which it waits once it has its tokens, before it is over. */
  after?: readonly { in: string; ms: number }[];
  /** Tokens `first` to `last - 1` are there; `finish` is set with the last of them. */
  emit: (first: number, last: number, finish: FinishReason | undefined) => void;
}

export type FinishReason = 'length' | 'stop' | 'abort';

/** A job on its way through the queues. */
export interface Run {
  readonly job: Job;
  /** The queue in which it waits, `slot` while it waits for a place in the batch, `running`, `over`. */
  state: string;
  /** The instant from which its tokens count, on the process's clock. */
  startsAt: number;
  done: number;
  /** No slot was free when it was ready to run. */
  blocked: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The running and waiting queues with their batch limit. A token's time is its place in the schedule, never the last
 * token plus a pause, so nothing drifts: what a late timer owes is handed over together.
 */
export class EngineCore {
  readonly #runs = new Set<Run>();
  readonly #maxRunning: number;
  #idle: (() => void)[] = [];

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  submit(job: Job): Run {
    const run: Run = { job, state: 'new', startsAt: performance.now(), done: 0, blocked: false, timer: undefined };
    this.#runs.add(run);
    this.#pass(run, job.waits, () => this.#enqueue(run));
    return run;
  }

  /** Gives up a job without another token; its slot is free at once. */
  release(run: Run): void {
    if (run.state === 'over') return;
    run.state = 'over';
    clearTimeout(run.timer);
    this.#runs.delete(run);
    this.#fill();
    if (this.#runs.size === 0) for (const tell of this.#idle.splice(0)) tell();
  }

  /** Ends every job, running or waiting, with a reason, or without a word. */
  endAll(reason: FinishReason | undefined): number {
    const all = [...this.#runs];
    for (const run of all) run.state = 'over';
    for (const run of all) {
      clearTimeout(run.timer);
      this.#runs.delete(run);
      if (reason) run.job.emit(run.done, run.done, reason);
    }
    for (const tell of this.#idle.splice(0)) tell();
    return all.length;
  }

  /** Calls back once nothing runs and nothing waits; at once where that is so. */
  whenIdle(tell: () => void): void {
    if (this.#runs.size === 0) tell();
    else this.#idle.push(tell);
  }

  get size(): number {
    return this.#runs.size;
  }

  /** How many jobs are in a state. */
  count(state: string): number {
    let n = 0;
    for (const run of this.#runs) if (run.state === state) n += 1;
    return n;
  }

  /** Lets a job wait in each queue in turn. What a late timer owes is not waited again. */
  #pass(run: Run, waits: readonly { in: string; ms: number }[], then: () => void): void {
    const [first, ...rest] = waits;
    if (!first || first.ms <= 0) {
      if (first) this.#pass(run, rest, then);
      else then();
      return;
    }
    run.state = first.in;
    run.startsAt += first.ms;
    run.timer = setTimeout(() => this.#pass(run, rest, then), Math.max(0, run.startsAt - performance.now()));
  }

  #enqueue(run: Run): void {
    run.state = 'slot';
    this.#fill();
    run.blocked = run.state === 'slot';
  }

  /** Moves jobs that wait for a slot into free ones, oldest first. */
  #fill(): void {
    let free = this.#maxRunning - this.count('running');
    for (const run of this.#runs) {
      if (free <= 0) return;
      if (run.state !== 'slot') continue;
      free -= 1;
      run.state = 'running';
      // A job that had to queue begins now; one that did not began when it was due, whenever its timer fired.
      if (run.blocked) run.startsAt = performance.now();
      this.#arm(run);
    }
  }

  #arm(run: Run): void {
    const due = run.startsAt + (run.done + 1) * run.job.tokenMs;
    run.timer = setTimeout(() => this.#advance(run), Math.max(0, due - performance.now()));
  }

  #advance(run: Run): void {
    const { job, done } = run;
    // Timers may fire up to a millisecond early; such a token counts as due.
    const due = job.tokenMs > 0 ? Math.floor((performance.now() + 1 - run.startsAt) / job.tokenMs) : job.tokens;
    run.done = Math.min(Math.max(due, done), job.tokens);
    if (run.done < job.tokens) {
      if (run.done > done) job.emit(done, run.done, undefined);
      this.#arm(run);
      return;
    }
    run.startsAt += job.tokens * job.tokenMs;
    this.#pass(run, job.after ?? [], () => {
      this.release(run);
      job.emit(done, run.done, job.finish);
    });
    if (run.state !== 'over') this.#fill(); // it gave its slot up for a queue
  }
}
