import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connection, KubeObject } from './rest.ts';

/** One request that the fake API server was sent. */
export interface Sent {
  method: string;
  path: string;
  contentType: string | undefined;
  body: unknown;
}

/** An API server that holds objects by path and remembers what it was sent; anything else is scripted by `answer`. */
export class FakeApi {
  readonly objects = new Map<string, KubeObject>();
  readonly sent: Sent[] = [];
  /** Answers a request itself where it returns true. */
  answer: (sent: Sent, request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly server: Server;
  port = 0;

  constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => this.#handle(request, response, text === '' ? undefined : (JSON.parse(text) as unknown)));
    });
  }

  async start(): Promise<Connection> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
    return { server: `http://127.0.0.1:${this.port}` };
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  put(path: string, labels: Record<string, string> = {}, more: Partial<KubeObject> = {}): void {
    const name = path.split('/').at(-1) ?? '';
    this.objects.set(path, { ...more, metadata: { name, uid: `uid-${name}`, labels, ...more.metadata } });
  }

  /** What was sent beside reads, as short words. */
  get writes(): string[] {
    return this.sent.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  }

  #handle(request: IncomingMessage, response: ServerResponse, body: unknown): void {
    const { method = '', url: path = '' } = request;
    const sent = { method, path, contentType: request.headers['content-type'], body };
    this.sent.push(sent);
    if (this.answer(sent, request, response)) return;
    const [bare = ''] = path.split('?');
    const reply = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value));
    if (method === 'POST') {
      reply(201, body);
      return;
    }
    const object = this.objects.get(bare);
    if (object) {
      reply(200, object);
      return;
    }
    const items = [...this.objects].filter(
      ([key]) => key.startsWith(`${bare}/`) && !key.slice(bare.length + 1).includes('/'),
    );
    if (items.length > 0) reply(200, { metadata: { resourceVersion: '1' }, items: items.map(([, item]) => item) });
    else reply(404, { kind: 'Status', reason: 'NotFound', message: `${bare} not found`, code: 404 });
  }
}
