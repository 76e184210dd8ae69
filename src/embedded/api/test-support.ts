import { Readable } from 'node:stream';
import { KubeClient } from '../../cluster/rest.ts';
import type { KubeObject } from '../../cluster/rest.ts';
import { KubeletError } from '../kubelet-api.ts';
import type { KubeletApi } from '../kubelet-api.ts';
import { makeCertificate } from './certificate.ts';
import { startApiServer } from './server.ts';
import type { ApiServer, ApiServerOptions } from './server.ts';

export const TOKEN = 'test-token';

/** A kubelet without containers: for tests of everything but logs and exec. */
const emptyKubelet: KubeletApi = {
  logs: () => Promise.resolve(Readable.from(['first line\n', 'second line\n'])),
  exec: () => Promise.reject(new KubeletError(404, 'no such container')),
  kubeletLog: () => Promise.resolve(Readable.from(['I0101 log line\n'])),
};

export interface TestServer extends ApiServer {
  client: KubeClient;
  certificate: string;
}

/** A listening API server with a client of its plain listener. */
export async function testServer(options: Partial<ApiServerOptions> = {}): Promise<TestServer> {
  const tls = await makeCertificate();
  const server = await startApiServer({ host: '127.0.0.1', token: TOKEN, tls, kubelet: emptyKubelet, ...options });
  const client = new KubeClient({ server: server.plainUrl, token: TOKEN });
  const close = async () => {
    client.close();
    await server.close();
  };
  return { ...server, client, certificate: tls.cert, close };
}

/** A Pod with one container. */
export const podNamed = (name: string, spec: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'quiesce/pause:1' }], ...spec },
});

export const PODS = '/api/v1/namespaces/default/pods';

/** Reads the lines of a watch: `next` settles with the next event. */
export class TestWatch {
  readonly #lines: Record<string, unknown>[] = [];
  readonly #waiting: ((event: Record<string, unknown>) => void)[] = [];
  readonly #request;
  #status = 0;

  constructor(client: KubeClient, path: string, headers: Record<string, string> = {}) {
    this.#request = client.open('GET', path, headers, false);
    let rest = '';
    this.#request.on('error', () => undefined);
    this.#request.on('response', (response) => {
      this.#status = response.statusCode ?? 0;
      response.setEncoding('utf8');
      response.on('error', () => undefined);
      response.on('data', (part: string) => {
        const lines = (rest + part).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#push(JSON.parse(line) as Record<string, unknown>);
      });
    });
    this.#request.end();
  }

  get status(): number {
    return this.#status;
  }

  #push(event: Record<string, unknown>): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(event);
    else this.#lines.push(event);
  }

  next(): Promise<{ type: string; object: KubeObject }> {
    const line = this.#lines.shift();
    const event = line
      ? Promise.resolve(line)
      : new Promise<Record<string, unknown>>((done) => this.#waiting.push(done));
    return event as unknown as Promise<{ type: string; object: KubeObject }>;
  }

  stop(): void {
    this.#request.destroy();
  }
}
