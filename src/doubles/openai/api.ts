import type { IncomingMessage, ServerResponse } from 'node:http';
import { ENGINE_CONTROL_PATH } from '../../engines/behaviour.ts';
import type { Program } from '../program.ts';
import { Control } from './control.ts';
import type { Dialect } from './dialect.ts';
import type { Engine } from './engine.ts';
import type { Log } from './log.ts';
import type { GaugeMode } from './metrics.ts';
import type { ServerOptions } from './options.ts';
import { BadRequest, readGeneration } from './request.ts';

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes a whole answer. */
export type Send = (status: number, type: string, body: string) => void;

/** A path that only this engine's server has, by `METHOD /path`. */
export type Routes = Record<string, (send: Send) => void>;

interface Parts {
  program: Program;
  options: ServerOptions;
  engine: Engine;
  log: Log;
  dialect: Dialect;
  routes: Routes;
}

/** The HTTP side of an engine's server: OpenAI's API, metrics, the server's own paths, and the control of the double. */
export class Api {
  readonly #parts: Parts;
  readonly #started = Math.floor(Date.now() / 1000);
  readonly control = new Control();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { log, routes, dialect, options } = this.#parts;
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const send: Send = (status, type, body) => {
      if (response.destroyed || response.headersSent) return;
      if (path !== ENGINE_CONTROL_PATH) log.access(request, status);
      response.writeHead(status, {
        server: 'uvicorn',
        'content-type': type,
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    };
    const json = (status: number, body: unknown) => send(status, 'application/json', JSON.stringify(body));
    const route = `${request.method ?? ''} ${path}`;
    const own = Object.hasOwn(routes, route) ? routes[route] : undefined;
    if (own) return own(send);
    switch (route) {
      case 'GET /v1/models': {
        const card = { object: 'model', created: this.#started, ...dialect.modelCard(options.model) };
        return json(200, { object: 'list', data: [card] });
      }
      case 'GET /metrics':
        return this.#metrics(request, send);
      case 'POST /v1/completions':
      case 'POST /v1/chat/completions':
        return void readBody(request).then((text) =>
          this.#generate(text, request, response, json, path.includes('chat')),
        );
      case `POST ${ENGINE_CONTROL_PATH}`:
        return void readBody(request).then(async (text) => {
          const problem = await this.control.take(text);
          if (typeof problem === 'string') json(400, { detail: problem });
          else {
            // What is to be done comes once the client has the answer and the connection is closed.
            if (problem) response.shouldKeepAlive = false;
            if (problem) request.socket.once('close', problem);
            response.writeHead(204).end();
          }
        });
      default: {
        const known = shared.has(path) || Object.keys(routes).some((name) => name.endsWith(` ${path}`));
        return json(known ? 405 : 404, { detail: known ? 'Method Not Allowed' : 'Not Found' });
      }
    }
  };

  #generate(
    text: string,
    request: IncomingMessage,
    response: ServerResponse,
    respond: (status: number, body: unknown) => void,
    chat: boolean,
  ): void {
    const { log, engine, dialect } = this.#parts;
    const begin = () => {
      log.access(request, 200);
      response.writeHead(200, { server: 'uvicorn', 'content-type': 'text/event-stream; charset=utf-8' });
      response.flushHeaders();
    };
    try {
      const generation = readGeneration(text, chat);
      if (this.control.fails) respond(500, engine.refuse(generation, request));
      else engine.generate(generation, request, response, { begin, respond });
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      respond(error.status, dialect.errorBody(error));
    }
  }

  #metrics(request: IncomingMessage, send: Send): void {
    const { program, engine } = this.#parts;
    const client = request.socket.remoteAddress;
    const loopback = client === program.podIP || client === '127.0.0.1';
    if (loopback) engine.hookRead();
    if (this.control.metrics === 'hang') return;
    if (this.control.metrics === 'fail-http') return send(500, 'text/plain; charset=utf-8', 'Internal Server Error');
    void engine.page(this.#gauges()).then((page) => {
      send(200, METRICS_TYPE, page);
      const work = loopback ? this.control.takeWork() : 0;
      if (work > 0) engine.workFor(work);
    });
  }

  #gauges(): GaugeMode {
    const { faults } = this.#parts.program;
    if (this.control.metrics === 'garbage') return 'unparsable';
    const { metrics } = this.control;
    if (metrics === 'partial' || metrics === 'absent' || metrics === 'huge') return metrics;
    return faults.has('engine-gauge-lies-zero') ? 'zero' : 'true';
  }
}

const shared: ReadonlySet<string> = new Set([
  '/v1/models',
  '/metrics',
  '/v1/completions',
  '/v1/chat/completions',
  ENGINE_CONTROL_PATH,
]);

/** The whole body; what a client that hangs up has sent of it never comes. */
function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (text += part));
    request.on('end', () => resolve(text));
    request.on('error', () => undefined);
  });
}
