import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What an engine does with the next requests. */
export type Conduct =
  | { kind: 'serve' }
  | { kind: 'status'; code: number }
  | { kind: 'reset' }
  /** Resets the connection after so many tokens, or in the middle of an answer that is no stream. */
  | { kind: 'cut'; after: number };

export interface Asked {
  headers: http.IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** An engine that does as it is told and remembers what it was asked; as much of one as a router needs to take it. */
export class ProbedEngine {
  readonly host: string;
  readonly asked: Asked[] = [];
  conduct: Conduct = { kind: 'serve' };
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));
  readonly #sockets = new Set<Socket>();

  constructor(host: string) {
    this.host = host;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  async start(): Promise<this> {
    await once(this.#server.listen(8000, this.host), 'listening');
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part as string;
    const json = (status: number, value: object) => {
      const body = JSON.stringify(value);
      const length = Buffer.byteLength(body);
      const headers = { 'content-type': 'application/json', 'content-length': length, 'x-engine': this.host };
      response.writeHead(status, headers).end(body);
    };
    const path = (request.url ?? '').split('?')[0];
    if (path === '/health') return void response.writeHead(200).end();
    if (path === '/v1/models') return json(200, { object: 'list', data: [{ id: 'tiny', object: 'model' }] });
    if (!/^\/v1\/(chat\/)?completions$/.test(path ?? '')) return json(404, { detail: 'Not Found' });
    const body = JSON.parse(text) as Record<string, unknown>;
    this.asked.push({ headers: request.headers, body });
    const { conduct } = this;
    if (conduct.kind === 'status') return json(conduct.code, { error: { code: conduct.code } });
    if (conduct.kind === 'reset') return void request.socket.resetAndDestroy();
    const count = Number(body['max_tokens'] ?? body['max_completion_tokens'] ?? 1);
    const id = `cmpl-${this.host}`;
    if (body['stream'] !== true) {
      if (conduct.kind === 'serve') return json(200, { id, choices: [{ index: 0, text: 'x'.repeat(count) }] });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5000 });
      response.write('{"id":"', () => request.socket.resetAndDestroy());
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-engine': this.host });
    let n = 0;
    const next = setInterval(() => {
      if (response.destroyed) return clearInterval(next);
      if (conduct.kind === 'cut' && n >= conduct.after) return void request.socket.resetAndDestroy();
      if (n === count) {
        clearInterval(next);
        return void response.end('data: [DONE]\n\n');
      }
      response.write(`data: ${JSON.stringify({ id, choices: [{ index: 0, text: ` t${n}` }] })}\n\n`);
      n += 1;
    }, 20);
  }
}
