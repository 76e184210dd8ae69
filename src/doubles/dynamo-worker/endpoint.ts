import type { ServerResponse } from 'node:http';
import type { Order } from '../dynamo/plane.ts';

/** Gives a request up and says so, so that no answer looks whole; `asWhole`, by a fault, it does. */
export type Cancel = (asWhole: boolean) => void;

/** Answers one request; `over` is called once it has ended, `Cancel` ends it sooner. */
export type Work = (order: Order, response: ServerResponse, over: () => void) => Cancel;

/** One endpoint on the request plane. */
export class Endpoint {
  readonly name: string;
  /** Whether whoever serves it waits for its requests. */
  readonly graceful: boolean;
  readonly #work: Work;
  readonly #open = new Set<Cancel>();
  #idle: (() => void)[] = [];
  #valid = true;

  constructor(name: string, graceful: boolean, work: Work) {
    this.name = name;
    this.graceful = graceful;
    this.#work = work;
  }

  get inflight(): number {
    return this.#open.size;
  }

  get valid(): boolean {
    return this.#valid;
  }

  /** Takes no new request any more; those that are open go on. */
  invalidate(): void {
    this.#valid = false;
  }

  /** Calls back once nothing is open; at once where that is so. */
  whenIdle(tell: () => void): void {
    if (this.#open.size === 0) tell();
    else this.#idle.push(tell);
  }

  cancelAll(asWhole: boolean): void {
    for (const cancel of [...this.#open]) cancel(asWhole);
  }

  serve(order: Order, response: ServerResponse): void {
    const over = () => {
      if (!this.#open.delete(cancel) || this.#open.size > 0) return;
      for (const tell of this.#idle.splice(0)) tell();
    };
    const giveUp = this.#work(order, response, over);
    const cancel: Cancel = (asWhole) => {
      giveUp(asWhole);
      over();
    };
    this.#open.add(cancel);
    // A client that left frees its slot.
    response.once('close', () => this.#open.has(cancel) && cancel(false));
  }
}
