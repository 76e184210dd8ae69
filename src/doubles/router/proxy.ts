import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Program } from '../program.ts';
import { passedOn } from './headers.ts';
import type { Failure, Manners } from './manners.ts';
import type { RouterOptions } from './options.ts';
import { type Answered, type Passage, readPassage, readWhole } from './passage.ts';
import { type Choose, chooser } from './policy.ts';
import { replayCuts } from './replay.ts';
import { inSelection, type Worker } from './worker.ts';
import type { Workers } from './workers.ts';

// Defaults of --retry-initial-backoff-ms, --retry-backoff-multiplier, --retry-jitter-factor; seconds, measured.
const BACKOFF = { first: 0.05, times: 1.5, jitter: 0.2 } as const;
/** Statuses for which the next attempt is made: measured on vllm-router 0.1.17 and sglang-router 0.3.2. */
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);

/** What one attempt came to. */
type Outcome =
  | { failure: Failure }
  | { status: number; headers: IncomingHttpHeaders; body: Buffer }
  | { answer: IncomingMessage; worker: Worker };

/**
 * Passes requests to workers. As long as an answer has not begun for the client, the next attempt may be made on another
 * worker; from its first byte on it goes through as it comes, and nothing is tried twice.
 */
export class Proxy {
  readonly #program: Program;
  readonly #options: RouterOptions;
  readonly #workers: Workers;
  readonly #manners: Manners;
  readonly #choose: Choose;

  constructor(program: Program, options: RouterOptions, workers: Workers, manners: Manners) {
    this.#program = program;
    this.#options = options;
    this.#workers = workers;
    this.#manners = manners;
    this.#choose = chooser(options.policy);
  }

  async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const passage = await readPassage(request, response);
    if (!passage) return; // the client hung up
    this.#manners.count.received(passage);
    const attempts = request.method === 'POST' ? this.#attempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(passage);
      if (response.destroyed) return;
      if (attempt >= attempts || !mayRetry(outcome)) {
        if (attempts > 1 && mayRetry(outcome)) this.#manners.count.retried(passage, true);
        return this.#reply(passage, outcome);
      }
      this.#manners.count.retried(passage, false);
      await new Promise((resolve) => setTimeout(resolve, this.#backoff(attempt)));
      if (response.destroyed) return;
    }
  }

  get #attempts(): number {
    return this.#program.faults.has('gateway-never-retries') ? 1 : this.#options.attempts;
  }

  #backoff(attempt: number): number {
    const seconds = BACKOFF.first * BACKOFF.times ** (attempt - 1);
    return this.#program.scale.toMs(seconds * (1 + BACKOFF.jitter * (2 * Math.random() - 1)));
  }

  #choice(passage: Passage, but?: Worker): Worker | undefined {
    const workers = this.#workers.choosable.filter((worker) => inSelection(worker) && worker.url !== but?.url);
    if (workers.length === 0) return undefined;
    const worker = this.#choose(workers, passage.prompt);
    this.#manners.count.chose(this.#options.policy, worker, passage);
    return worker;
  }

  async #attempt(passage: Passage): Promise<Outcome> {
    const worker = this.#choice(passage);
    if (!worker) return this.#failed(passage, { kind: 'no-workers' });
    const url = worker.url + (passage.request.url ?? '/');
    const begun = await new Promise<IncomingMessage | Error>((resolve) =>
      this.#send(passage, worker, { answer: resolve, none: resolve }),
    );
    if (begun instanceof Error) {
      worker.breaker.record(false);
      return this.#failed(passage, { kind: 'no-answer', url });
    }
    const { statusCode: status = 502, headers } = begun;
    if ((passage.streams || passage.request.method !== 'POST') && !RETRIED.has(status)) {
      this.#record(passage, worker, status);
      return { answer: begun, worker };
    }
    const body = await readWhole(begun);
    if (body === undefined) {
      worker.breaker.record(false);
      return this.#failed(passage, { kind: 'cut', url });
    }
    this.#record(passage, worker, status);
    return { status, headers, body };
  }

  #record(passage: Passage, worker: Worker, status: number): void {
    worker.breaker.record(!this.#manners.fails(status));
    this.#manners.count.attempted(passage, status, '');
  }

  #failed(passage: Passage, failure: Failure): Outcome {
    const { status, code } = this.#manners.failure(failure);
    this.#manners.count.attempted(passage, status, code);
    return { failure };
  }

  #send(passage: Passage, worker: Worker, on: Answered): void {
    const { request, response, requestId } = passage;
    const { address: host, port } = worker;
    const body = this.#manners.rewrite(passage);
    const passed = passedOn(request.headers, (name) => this.#manners.passesHeader(name));
    const headers = { ...passed, 'x-request-id': requestId, 'content-length': body.length };
    const { method = 'GET', url: path = '/' } = request;
    const upstream = http.request({
      ...{ host, port, method, path, headers },
      agent: false,
      localAddress: this.#program.podIP,
    });
    // The limit is for the whole of an attempt: a stream that is still going on is cut by it.
    const limit = setTimeout(
      () => upstream.destroy(new Error('operation timed out')),
      this.#program.scale.toMs(this.#options.requestTimeout),
    );
    const hangUp = () => upstream.destroy();
    worker.running += 1;
    this.#manners.count.running(worker);
    response.once('close', hangUp);
    upstream.once('close', () => {
      clearTimeout(limit);
      response.off('close', hangUp);
      worker.running -= 1;
      this.#manners.count.running(worker);
    });
    let answered = false;
    upstream.on('error', (error) => answered || on.none(error));
    upstream.on('response', (answer) => {
      answered = true;
      on.answer(answer);
    });
    upstream.end(body);
  }

  #reply(passage: Passage, outcome: Outcome): void {
    const { response, requestId, streams } = passage;
    const own = { 'x-request-id': requestId };
    const { count } = this.#manners;
    if ('failure' in outcome) {
      const { status, headers, body, code } = this.#manners.failure(outcome.failure);
      count.responded(passage, status, code, {});
      response.writeHead(status, { ...headers, ...own, 'content-length': Buffer.byteLength(body) }).end(body);
      return;
    }
    const type = streams ? { 'content-type': 'text/event-stream' } : {};
    if ('body' in outcome) {
      const { status, headers, body } = outcome;
      count.responded(passage, status, '', headers);
      const length = { 'content-length': body.length };
      response.writeHead(status, { ...passedOn(headers), ...type, ...length, ...own }).end(body);
      return;
    }
    const { answer, worker } = outcome;
    const length = answer.headers['content-length'];
    count.responded(passage, answer.statusCode ?? 502, '', answer.headers);
    // Status and headers go out at once, before any byte of the body has come.
    response.writeHead(answer.statusCode ?? 502, {
      ...passedOn(answer.headers),
      ...type,
      ...(length === undefined ? {} : { 'content-length': length }),
      ...own,
    });
    response.flushHeaders();
    if (streams && this.#program.faults.has('router-retries-midstream')) {
      return replayCuts(this.#program, passage, worker, answer, (but, on) => {
        const other = this.#choice(passage, but);
        if (!other) return on.none();
        this.#send(passage, other, { answer: (next) => on.answer(other, next), none: on.none });
      });
    }
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  }
}

const mayRetry = (outcome: Outcome): boolean =>
  'failure' in outcome || ('status' in outcome && RETRIED.has(outcome.status));
