import type { IncomingMessage, ServerResponse } from 'node:http';
import { ENGINE_CONTROL_PATH, type EngineControl } from '../../engines/behaviour.ts';
import type { Program } from '../program.ts';
import { errorBody } from './answer.ts';
import type { Engine } from './engine.ts';
import type { Log } from './log.ts';
import type { VllmOptions } from './options.ts';
import { BadRequest, readGeneration } from './request.ts';

const VERSION = '0.32.0';
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What the API does to the listener. */
export interface Door {
  open: () => Promise<void>;
  close: () => void;
  breakHandshakes: (broken: boolean) => void;
}

/** The HTTP side of a vLLM server: OpenAI's API, health, metrics, and the control of the double. */
export class Api {
  readonly #program: Program;
  readonly #options: VllmOptions;
  readonly #engine: Engine;
  readonly #log: Log;
  readonly #started = Math.floor(Date.now() / 1000);
  #mode: NonNullable<EngineControl['metrics']> = 'normal';
  door: Door | undefined;

  constructor(program: Program, options: VllmOptions, engine: Engine, log: Log) {
    this.#program = program;
    this.#options = options;
    this.#engine = engine;
    this.#log = log;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const send = (status: number, type: string, body: string) => {
      if (response.destroyed || response.headersSent) return;
      if (path !== ENGINE_CONTROL_PATH) this.#log.access(request, status);
      response.writeHead(status, {
        server: 'uvicorn',
        'content-type': type,
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    };
    const json = (status: number, body: unknown) => send(status, 'application/json', JSON.stringify(body));
    const route = `${request.method ?? ''} ${path}`;
    switch (route) {
      case 'GET /health':
        return send(200, 'text/plain', '');
      case 'GET /version':
        return json(200, { version: VERSION });
      case 'GET /v1/models':
        return json(200, { object: 'list', data: [this.#modelCard()] });
      case 'GET /metrics':
        return this.#metrics(request, send);
      case 'POST /v1/completions':
      case 'POST /v1/chat/completions':
        return void readBody(request).then((text) =>
          this.#generate(text, request, response, json, path.includes('chat')),
        );
      case `POST ${ENGINE_CONTROL_PATH}`:
        return void readBody(request).then(async (text) => {
          const problem = await this.#control(text);
          if (problem) json(400, { detail: problem });
          else response.writeHead(204).end();
        });
      default:
        return json(known.has(path) ? 405 : 404, { detail: known.has(path) ? 'Method Not Allowed' : 'Not Found' });
    }
  };

  #generate(
    text: string,
    request: IncomingMessage,
    response: ServerResponse,
    respond: (status: number, body: unknown) => void,
    chat: boolean,
  ): void {
    const begin = () => {
      this.#log.access(request, 200);
      response.writeHead(200, { server: 'uvicorn', 'content-type': 'text/event-stream; charset=utf-8' });
      response.flushHeaders();
    };
    try {
      this.#engine.generate(readGeneration(text, chat), request, response, { begin, respond });
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      respond(error.status, errorBody(error.message, error.status, error.type, error.param));
    }
  }

  #metrics(request: IncomingMessage, send: (status: number, type: string, body: string) => void): void {
    const client = request.socket.remoteAddress;
    if (client === this.#program.podIP || client === '127.0.0.1') this.#engine.hookRead();
    if (this.#mode === 'hang') return;
    if (this.#mode === 'fail-http') return send(500, 'text/plain; charset=utf-8', 'Internal Server Error');
    const { faults } = this.#program;
    const gauges = faults.has('engine-gauges-absent')
      ? 'absent'
      : this.#mode === 'garbage'
        ? 'unparsable'
        : faults.has('engine-gauge-lies-zero')
          ? 'zero'
          : 'true';
    void this.#engine.metrics.page(this.#engine.load, gauges).then((page) => send(200, METRICS_TYPE, page));
  }

  /** Does what a control asks; answers what is wrong with it. */
  async #control(text: string): Promise<string | undefined> {
    let control: EngineControl;
    try {
      control = JSON.parse(text) as EngineControl;
    } catch {
      return 'not JSON';
    }
    const mode = control?.metrics;
    if (mode === undefined || !modes.has(mode)) return `metrics: expected one of ${[...modes].join(', ')}`;
    this.#mode = mode;
    this.door?.breakHandshakes(mode === 'break-tls');
    if (mode === 'refuse') this.door?.close();
    else await this.door?.open();
    return undefined;
  }

  #modelCard() {
    const { model } = this.#options;
    return {
      id: model,
      object: 'model',
      created: this.#started,
      owned_by: 'vllm',
      root: model,
      parent: null,
      max_model_len: 8192,
    };
  }
}

const modes: ReadonlySet<string> = new Set(['normal', 'fail-http', 'hang', 'garbage', 'refuse', 'break-tls']);
const known: ReadonlySet<string> = new Set([
  '/health',
  '/version',
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
