import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { llmdRouter } from '../../routers/llm-d-router.ts';
import type { Program } from '../program.ts';
import { passedOn } from '../router/headers.ts';
import { type Passage, readPassage } from '../router/passage.ts';
import { replayCuts } from '../router/replay.ts';
import type { EnvoyOptions } from './configuration.ts';
import { askPicker, type Pick } from './picking.ts';

/** Attempts that the fault makes while the response has not started. */
const FAULTY_ATTEMPTS = 5;

/** An answer of a replica that has begun, and where it comes from. */
interface Begun {
  answer: IncomingMessage;
  from: string;
  flag: string;
}

/** Why there is none; `status` and `body` are Envoy's own words. */
interface None {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Buffer;
  from?: string;
  /** Response flag of the access log. */
  flag: string;
}

/** Passes each request to the one replica that the picker names: no retry, no breaker, no health check of its own. */
export class EnvoyProxy {
  readonly #program: Program;
  readonly #options: EnvoyOptions;

  constructor(program: Program, options: EnvoyOptions) {
    this.#program = program;
    this.#options = options;
  }

  async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = new Date();
    const passage = await readPassage(request, response);
    if (!passage) return;
    let outcome = await this.#attempt(passage);
    for (let i = 1; i < FAULTY_ATTEMPTS && mayRetry(outcome) && this.#has('router-retries-before-start'); i += 1) {
      if ('answer' in outcome) outcome.answer.resume();
      outcome = await this.#attempt(passage, outcome.from);
    }
    response.once('close', () => this.#log(passage, outcome, startedAt));
    if (response.destroyed) return;
    if ('answer' in outcome) return this.#begin(passage, outcome);
    const { status, headers, body } = outcome;
    response.writeHead(status, { ...headers, server: 'envoy', 'content-length': body.length }).end(body);
  }

  #has(fault: string): boolean {
    return this.#program.faults.has(fault);
  }

  async #attempt(passage: Passage, but?: string): Promise<Begun | None> {
    const { podIP: host } = this.#program;
    const lost = () => this.#cut(passage.response);
    const pick = await askPicker({ host, port: this.#options.extProcPort }, passage, lost, but);
    if (pick.kind === 'unreachable') return { status: 500, headers: {}, body: '', flag: '-' };
    if (pick.kind === 'answered') return { ...pick, flag: '-' };
    passage.response.once('close', pick.done);
    return this.#send(passage, pick);
  }

  #send(passage: Passage, { address, port, headers: added, done }: Extract<Pick, { kind: 'routed' }>) {
    const { request, response, body, requestId } = passage;
    const { scale, podIP } = this.#program;
    const headers = passedOn(request.headers, (name) => name !== llmdRouter.destinationHeader);
    const from = `${address}:${port}`;
    return new Promise<Begun | None>((resolve) => {
      const upstream = http.request({
        ...{ host: address, port, method: request.method ?? 'GET', path: request.url ?? '/' },
        headers: { ...headers, ...added, 'x-request-id': requestId, 'content-length': body.length },
        ...{ agent: false, localAddress: podIP },
      });
      let why: None = unavailable('remote connection failure', 'UF');
      const give = (none: None) => {
        why = none;
        upstream.destroy(new Error(none.flag));
      };
      const connecting = setTimeout(
        () => give(unavailable('connection timeout', 'UF')),
        scale.toMs(this.#options.connectTimeout),
      );
      const limit = setTimeout(
        () => give({ status: 504, headers: plain, body: 'upstream request timeout', flag: 'UT' }),
        scale.toMs(this.#options.routeTimeout),
      );
      upstream.on('socket', (socket) => {
        socket.once('connect', () => {
          clearTimeout(connecting);
          why = unavailable('connection termination', 'UC');
        });
      });
      const hangUp = () => upstream.destroy();
      response.once('close', hangUp);
      upstream.once('close', () => {
        clearTimeout(connecting);
        clearTimeout(limit);
        response.off('close', hangUp);
      });
      upstream.on('error', () => {
        done();
        resolve({ ...why, from });
      });
      upstream.on('response', (answer) => resolve({ answer, from, flag: '-' }));
      upstream.end(body);
    });
  }

  #begin(passage: Passage, begun: Begun): void {
    const { answer, from } = begun;
    const { response, streams } = passage;
    const length = answer.headers['content-length'];
    response.writeHead(answer.statusCode ?? 502, {
      ...passedOn(answer.headers),
      ...(length === undefined ? {} : { 'content-length': length }),
      'x-went-into-resp-headers': 'true',
      server: 'envoy',
    });
    response.flushHeaders();
    if (streams && this.#has('router-retries-midstream')) {
      return replayCuts(this.#program, passage, from, answer, (but, on) => {
        void this.#attempt(passage, but).then((next) =>
          'answer' in next ? on.answer(next.from, next.answer) : on.none(),
        );
      });
    }
    answer.pipe(response);
    answer.on('error', () => {
      begun.flag = 'UPE';
      this.#cut(response);
    });
  }

  /** A client of HTTP/1.1 sees the end of the connection only after the delay with which Envoy closes it. */
  #cut(response: ServerResponse): void {
    if (!response.destroyed && !response.writableEnded) {
      setTimeout(() => response.destroy(), this.#program.scale.toMs(llmdRouter.delayedCloseSeconds));
    }
  }

  #log({ request, response, requestId }: Passage, { flag, from }: Begun | None, startedAt: Date): void {
    const hungUp = !response.writableFinished && flag === '-';
    const entry = {
      start_time: startedAt.toISOString(),
      method: request.method,
      path: request.url,
      response_code: response.statusCode,
      response_flags: hungUp ? 'DC' : flag,
      duration: Date.now() - startedAt.getTime(),
      upstream_host: from ?? null,
      request_id: requestId,
    };
    this.#program.log(JSON.stringify(entry));
  }
}

const plain = { 'content-type': 'text/plain' };

const unavailable = (reason: string, flag: string): None => ({
  status: 503,
  headers: plain,
  body: `upstream connect error or disconnect/reset before headers. reset reason: ${reason}`,
  flag,
});

const mayRetry = (outcome: Begun | None): boolean =>
  'answer' in outcome ? (outcome.answer.statusCode ?? 0) >= 500 : outcome.flag !== '-';
