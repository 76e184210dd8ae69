import { HostProcess, type Launch } from './host-process.ts';
import { within } from './stamps.ts';

/** All programs of one kubelet that run, so that none outlives it. */
export class Processes {
  readonly #running = new Set<HostProcess>();
  #closed = false;
  #turn: Promise<void> = Promise.resolve();

  async launch(launch: Launch): Promise<HostProcess> {
    await this.#myTurn();
    if (this.#closed) throw new Error('the kubelet is stopping');
    const process = await HostProcess.launch(launch);
    this.#running.add(process);
    void process.exited.then(() => this.#running.delete(process));
    if (this.#closed) process.kill();
    return process;
  }

  /** A start blocks the event loop for milliseconds: timers and sockets get their turn between two of them. */
  #myTurn(): Promise<void> {
    const mine = this.#turn;
    this.#turn = mine.then(() => new Promise((resolve) => setImmediate(resolve)));
    return mine;
  }

  /** Kills all; answers how many have not ended after `deadlineMs` of the wall. */
  async stop(deadlineMs: number): Promise<number> {
    this.#closed = true;
    for (const process of this.#running) process.kill();
    await within(deadlineMs, Promise.all([...this.#running].map((process) => process.exited)));
    return this.#running.size;
  }
}
