import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeClient } from './rest.ts';
import type { KubeObject } from './rest.ts';

/** A scripted API server of one collection: it holds objects and versions, and misbehaves on demand. */
export class FakeCollection {
  readonly items = new Map<string, KubeObject>();
  readonly streams = new Set<ServerResponse>();
  /** `resourceVersion` of each watch that was asked for, and null for each list. */
  readonly asked: (string | null)[] = [];
  /** Answers every request with this status instead, where set. */
  status: number | undefined;
  /** Versions below this one answer 410 to a watch, by status or by an ERROR event. */
  compacted = 0;
  goneBy: 'status' | 'event' = 'event';
  /** Changes reach no stream, although the connections stay open. */
  deaf = false;
  readonly path = '/api/v1/namespaces/ns/pods';
  readonly #log: { type: string; object: KubeObject; version: number }[] = [];
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();
  #version = 100;
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://fake');
      if (this.status) response.writeHead(this.status).end('{}');
      else if (searchParams.has('watch')) this.#watch(Number(searchParams.get('resourceVersion')), response);
      else this.#list(response);
      for (const look of [...this.#waiting]) look();
    });
  }

  async start(): Promise<KubeClient> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return new KubeClient({ server: `http://127.0.0.1:${this.#port}` });
  }

  /** Closes every connection; `start` takes the same port again. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  put(name: string, more: Partial<KubeObject> = {}, uid = `uid-${name}`): void {
    const type = this.items.get(name) ? 'MODIFIED' : 'ADDED';
    this.#version += 1;
    const object = { ...more, metadata: { name, namespace: 'ns', uid, resourceVersion: String(this.#version) } };
    this.items.set(name, object);
    this.#tell(type, object);
  }

  remove(name: string): void {
    const former = this.items.get(name);
    if (!former) throw new Error(`no ${name}`);
    this.items.delete(name);
    this.#version += 1;
    this.#tell('DELETED', { ...former, metadata: { ...former.metadata, resourceVersion: String(this.#version) } });
  }

  bookmark(): void {
    this.raw(
      `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(this.#version) } } })}\n`,
    );
  }

  /** Sends everything so far once more. */
  repeatAll(): void {
    for (const { type, object } of this.#log) this.raw(`${JSON.stringify({ type, object })}\n`);
  }

  raw(text: string): void {
    for (const stream of this.streams) stream.write(text);
  }

  /** Ends every stream: in order, by a FIN in the middle of a line, or by a reset. */
  cut(how: 'end' | 'half-line' | 'reset'): void {
    for (const stream of this.streams) {
      if (how === 'end') stream.end();
      else if (how === 'reset') stream.socket?.resetAndDestroy();
      else stream.write('{"type":"ADDED","obj', () => stream.socket?.end());
    }
    this.streams.clear();
  }

  /** Waits until the fact holds; it is looked at with each request. */
  async until(fact: () => boolean): Promise<void> {
    while (!fact()) {
      await new Promise<void>((resolve) => {
        const look = () => {
          this.#waiting.delete(look);
          resolve();
        };
        this.#waiting.add(look);
      });
    }
  }

  #tell(type: string, object: KubeObject): void {
    this.#log.push({ type, object, version: this.#version });
    if (!this.deaf) this.raw(`${JSON.stringify({ type, object })}\n`);
  }

  #list(response: ServerResponse): void {
    this.asked.push(null);
    const items = [...this.items.values()];
    response.end(JSON.stringify({ metadata: { resourceVersion: String(this.#version) }, items }));
  }

  #watch(from: number, response: ServerResponse): void {
    this.asked.push(String(from));
    const gone = { code: 410, reason: 'Expired', message: 'too old resource version' };
    if (from < this.compacted) {
      if (this.goneBy === 'status') response.writeHead(410).end(JSON.stringify(gone));
      else response.end(`${JSON.stringify({ type: 'ERROR', object: gone })}\n`);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    for (const { type, object, version } of this.#log) {
      if (version > from) response.write(`${JSON.stringify({ type, object })}\n`);
    }
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
  }
}
