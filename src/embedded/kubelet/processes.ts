import { HostProcess, spawner, type Launch } from './host-process.ts';
import { within } from './stamps.ts';

/** All programs of one kubelet that run, so that none outlives it. */
export class Processes {
  readonly #starting = new Set<Promise<unknown>>();
  readonly #running = new Set<HostProcess>();
  #closed = false;

  constructor() {
    spawner.warmUp();
  }

  async launch(launch: Launch): Promise<HostProcess> {
    if (this.#closed) throw new Error('the kubelet is stopping');
    const starting = HostProcess.launch(launch);
    this.#starting.add(starting);
    try {
      const process = await starting;
      this.#running.add(process);
      void process.exited.then(() => this.#running.delete(process));
      if (this.#closed) process.kill();
      return process;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** Kills all; answers how many have not ended after `deadlineMs` of the wall. */
  async stop(deadlineMs: number): Promise<number> {
    this.#closed = true;
    for (const process of this.#running) process.kill();
    await within(deadlineMs, this.#ended());
    return this.#starting.size + this.#running.size;
  }

  async #ended(): Promise<void> {
    await Promise.allSettled(this.#starting); // what starts now is killed at once
    await Promise.all([...this.#running].map((process) => process.exited));
  }
}
