import type { ServerResponse } from 'node:http';
import { EngineCore, type Run } from '../openai/core.ts';
import type { Piece } from '../dynamo/plane.ts';
import type { Work } from './endpoint.ts';

/** More than any load here sends at once. */
const MAX_RUNNING = 256;

const line = (piece: Piece): string => `${JSON.stringify(piece)}\n`;

export function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
}

/** Tokens from an engine that needs no accelerator. */
export function generating(): Work {
  const core = new EngineCore(MAX_RUNNING);
  return ({ tokens, tokenMs }, response, over) => {
    begin(response);
    const emit: Run['job']['emit'] = (first, last, finish) => {
      const piece: Piece = { first, last, ...(finish ? { finish: 'length' } : {}) };
      if (!finish) return void response.write(line(piece));
      response.end(line(piece));
      over();
    };
    const run: Run = core.submit({ tokens, tokenMs, finish: 'length', waits: [], emit });
    return (asWhole) => {
      core.release(run);
      response.end(line(asWhole ? { first: run.done, last: run.done, finish: 'stop' } : { cancelled: true }));
    };
  };
}

/** Tasks in which an SGLang prefill worker reads what its engine still says of a request whose answer is out. */
export class ConsumeTasks {
  readonly #timers = new Set<NodeJS.Timeout>();
  #idle: (() => void)[] = [];

  /** Answers a prefill at once, as SGLang does; the task ends when the other half has fetched its KV. */
  readonly prefilling: Work = ({ tokenMs }, response, over) => {
    begin(response);
    const timer = setTimeout(() => this.#ended(timer), tokenMs);
    this.#timers.add(timer);
    // Cancelling must find the answer open, so it ends in the next turn.
    setImmediate(() => {
      response.end(line({ first: 0, last: 1, finish: 'length' }));
      over();
    });
    return () => this.#ended(timer);
  };

  cancelAll(): void {
    for (const timer of [...this.#timers]) this.#ended(timer);
  }

  /** Settles once no task is left. */
  done(): Promise<void> {
    return this.#timers.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  #ended(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#timers.delete(timer);
    if (this.#timers.size === 0) for (const tell of this.#idle.splice(0)) tell();
  }
}
