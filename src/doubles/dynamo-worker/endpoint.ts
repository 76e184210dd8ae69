import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dynamoLines } from '../../engines/dynamo/log.ts';
import type { Journal } from '../dynamo/journal.ts';
import { plane, type Order, type Piece } from '../dynamo/plane.ts';
import { EngineCore, type Run } from '../openai/core.ts';
import { listen } from '../router/listen.ts';
import { readWhole } from '../router/passage.ts';

/** More than any load here sends at once. */
const MAX_RUNNING = 256;

/** The endpoint `generate` on the request plane, with the engine behind it. */
export class Endpoint {
  readonly #core = new EngineCore(MAX_RUNNING);
  readonly #open = new Map<Run, ServerResponse>();
  readonly #tell: Journal;
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  #valid = true;

  constructor(tell: Journal) {
    this.#tell = tell;
  }

  /** Host and port of the request plane, once it is open. */
  async open(host: string, port: number): Promise<string> {
    await listen(this.#server, port, host);
    return `${host}:${(this.#server.address() as AddressInfo).port}`;
  }

  get inflight(): number {
    return this.#core.size;
  }

  /** Takes no new request any more; those that are open go on. */
  invalidate(): void {
    this.#valid = false;
  }

  whenIdle(tell: () => void): void {
    this.#core.whenIdle(tell);
  }

  /** Gives up what is open and says so to the frontend, so that no answer looks whole; `asWhole`, by a fault, it does. */
  cancelAll(asWhole: boolean): void {
    for (const [run, response] of this.#open) {
      this.#core.release(run);
      response.end(line(asWhole ? { first: run.done, last: run.done, finish: 'stop' } : { cancelled: true }));
    }
    this.#open.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readWhole(request);
    if (!body) return;
    if (!this.#valid || request.url !== plane.path) {
      this.#tell('WARN', `${dynamoLines.noHandler}: ${request.url ?? ''}`);
      response.writeHead(503).end();
      return;
    }
    const { tokens, tokenMs } = JSON.parse(body.toString()) as Order;
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.flushHeaders();
    const emit: Run['job']['emit'] = (first, last, finish) => {
      const piece: Piece = { first, last, ...(finish ? { finish: 'length' } : {}) };
      if (!finish) return void response.write(line(piece));
      this.#open.delete(run);
      response.end(line(piece));
    };
    const run: Run = this.#core.submit({ tokens, tokenMs, finish: 'length', waits: [], emit });
    this.#open.set(run, response);
    // A client that left frees its slot.
    response.once('close', () => this.#open.delete(run) && this.#core.release(run));
  }
}

const line = (piece: Piece): string => `${JSON.stringify(piece)}\n`;
