import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { vllmRouter } from '../../routers/vllm-router.ts';
import type { Program } from '../program.ts';
import type { RouterMetrics } from './metrics.ts';
import type { RouterOptions } from './options.ts';
import { type Choose, chooser, type Worker } from './policy.ts';
import type { Passage, Sender } from './passage.ts';
import { replayCuts } from './replay.ts';
import type { Workers } from './workers.ts';

// RFC 9110, section 7.6.1: what belongs to one connection is not passed on.
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
]);

const passedOn = (headers: IncomingHttpHeaders): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(headers).flatMap(([k, v]) => (v === undefined || hopByHop.has(k) ? [] : [[k, v]])));

/** Passes requests to workers, each to one alone, and answers byte by byte as they come: nothing is tried twice. */
export class Proxy implements Sender {
  readonly #program: Program;
  readonly #options: RouterOptions;
  readonly #workers: Workers;
  readonly #metrics: RouterMetrics;
  readonly #choose: Choose;

  constructor(program: Program, options: RouterOptions, workers: Workers, metrics: RouterMetrics) {
    this.#program = program;
    this.#options = options;
    this.#workers = workers;
    this.#metrics = metrics;
    this.#choose = chooser(options.policy);
  }

  async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = (request.url ?? '/').split('?')[0] ?? '/';
    this.#metrics.received(route);
    const body = await readBody(request);
    if (body === undefined) return; // the client hung up
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && given ? given : crypto.randomUUID();
    const passage: Passage = { request, response, route, body, requestId };
    const worker = this.choose(passage);
    if (!worker) return this.#fail(passage, 503, vllmRouter.noWorkers, 'no_available_workers');
    this.send(passage, worker, (answer) => {
      begin(passage, answer);
      const streams = answer.headers['content-type']?.startsWith('text/event-stream');
      if (streams && this.#program.faults.has('router-retries-midstream'))
        replayCuts(this, this.#program, passage, worker, answer);
      else {
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      }
    });
  }

  choose(passage: Passage, but?: Worker): Worker | undefined {
    const workers = this.#workers.all.filter((worker) => worker.url !== but?.url);
    if (workers.length === 0) return undefined;
    const worker = this.#choose(workers, this.#options.policy === 'cache_aware' ? promptOf(passage.body) : '');
    this.#metrics.chose(this.#options.policy, worker);
    return worker;
  }

  send(passage: Passage, worker: Worker, answered: (answer: IncomingMessage) => void): void {
    const { request, response, body, requestId } = passage;
    const { address: host, port } = worker;
    const headers = { ...passedOn(request.headers), 'x-request-id': requestId, 'content-length': body.length };
    const localAddress = this.#program.podIP;
    const { method = 'GET', url = '/' } = request;
    const upstream = http.request({ host, port, method, path: url, headers, agent: false, localAddress });
    const limit = setTimeout(
      () => upstream.destroy(new Error('operation timed out')),
      this.#program.scale.toMs(this.#options.requestTimeout),
    );
    const hangUp = () => upstream.destroy();
    worker.running += 1;
    this.#metrics.running(worker);
    response.once('close', hangUp);
    upstream.once('close', () => {
      clearTimeout(limit);
      response.off('close', hangUp);
      worker.running -= 1;
      this.#metrics.running(worker);
    });
    upstream.on('error', (error) => {
      const text = `Request failed: error sending request for url (${worker.url}${url}): ${error.message}`;
      if (!response.headersSent) this.#fail(passage, 500, text, 'request_failed');
      else response.destroy();
    });
    upstream.on('response', answered);
    upstream.end(body);
  }

  #fail({ response, route }: Passage, status: number, text: string, kind: string): void {
    if (response.destroyed) return;
    this.#metrics.failed(route, kind);
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
  }
}

/** Status and headers go out at once, before any byte of the body has come. */
function begin({ response, requestId }: Passage, answer: IncomingMessage): void {
  const length = answer.headers['content-length'];
  response.writeHead(answer.statusCode ?? 502, {
    ...passedOn(answer.headers),
    ...(length === undefined ? {} : { 'content-length': length }),
    'x-request-id': requestId,
  });
  response.flushHeaders();
}

function promptOf(body: Buffer): string {
  try {
    const { prompt, messages } = JSON.parse(body.toString()) as { prompt?: unknown; messages?: unknown };
    return JSON.stringify(prompt ?? messages ?? '');
  } catch {
    return '';
  }
}

/** The whole body; undefined where the client hung up before it was there. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}
