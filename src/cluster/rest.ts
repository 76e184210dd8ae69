import http from 'node:http';
import https from 'node:https';
import { KubeError } from './errors.ts';

/** How to reach an API server. */
export interface Connection {
  /** `http://` or `https://` address. */
  server: string;
  token?: string | undefined;
  ca?: Buffer | undefined;
  cert?: Buffer | undefined;
  key?: Buffer | undefined;
  skipTlsVerify?: boolean | undefined;
  /** Name that the server's certificate is made out for, where it is not the address's. */
  serverName?: string | undefined;
}

/** Any Kubernetes object, as far as a client that knows nothing of its kind can say. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  generateName?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export interface RequestOptions {
  body?: unknown;
  contentType?: string;
  /** Milliseconds of the wall until the request is given up. Default 30 000. */
  timeoutMs?: number;
  /** One try, even by a client that waits for an API server that is away: the instant of sending counts. */
  once?: boolean;
}

/** An answer with its status, which tells what was created from what was there. */
export interface Answer<T> {
  status: number;
  body: T;
}

/**
 * A small client of the Kubernetes REST API over `node:http`: JSON in, JSON out, kept-alive connections.
 * It starts in a few milliseconds, so that every double can afford it.
 */
export class KubeClient {
  readonly connection: Connection;
  /** Requests made so far, streams included: a part of what the harness costs. */
  calls = 0;
  readonly #agent: http.Agent;

  constructor(connection: Connection) {
    this.connection = connection;
    this.#agent = connection.server.startsWith('https:')
      ? new https.Agent({ keepAlive: true, ...tlsOptions(connection) })
      : new http.Agent({ keepAlive: true });
  }

  /** @throws KubeError on any status of 400 or more, and with status 0 where no answer came */
  async request<T = KubeObject>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return (await this.exchange<T>(method, path, options)).body;
  }

  /** As {@link request}, with the status of the answer. */
  async exchange<T = KubeObject>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    const { body, contentType = 'application/json', timeoutMs = 30_000 } = options;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise<Answer<T>>((resolve, reject) => {
      const request = this.open(method, path, {
        ...(payload === undefined
          ? {}
          : { 'content-type': contentType, 'content-length': String(Buffer.byteLength(payload)) }),
      });
      let answered = false;
      const fail = (cause: unknown) => {
        // The server closed an idle connection just as it was used again. Only a read may be sent twice.
        const stale = request.reusedSocket && (cause as NodeJS.ErrnoException).code === 'ECONNRESET' && !answered;
        if (stale && method === 'GET') resolve(this.exchange<T>(method, path, options));
        else reject(new KubeError(method, path, 0, undefined, cause));
      };
      request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      request.on('error', fail);
      request.on('response', (response) => {
        answered = true;
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('error', (cause) => reject(new KubeError(method, path, 0, undefined, cause)));
        response.on('end', () => {
          const parsed = parse(text);
          const status = response.statusCode ?? 0;
          if (status >= 400) reject(new KubeError(method, path, status, parsed));
          else resolve({ status, body: parsed as T });
        });
      });
      request.end(payload);
    });
  }

  /** The bare request, for streams (watch, logs); the caller ends it and reads the response. */
  open(method: string, path: string, headers: Record<string, string> = {}, agent: http.Agent | false = this.#agent) {
    this.calls += 1;
    const url = this.url(path);
    const secure = url.protocol === 'https:';
    const { token } = this.connection;
    return (secure ? https : http).request({
      method,
      host: url.hostname,
      port: url.port || (secure ? 443 : 80),
      path: url.pathname + url.search,
      agent,
      headers: { accept: 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      ...(secure && agent === false ? tlsOptions(this.connection) : {}),
    });
  }

  /** Address of a path of the API; a server behind a proxy has a path of its own before it. */
  url(path: string): URL {
    return new URL(this.connection.server.replace(/\/+$/, '') + path);
  }

  get<T = KubeObject>(path: string): Promise<T> {
    return this.request<T>('GET', path);
  }

  async list<T extends KubeObject = KubeObject>(path: string): Promise<T[]> {
    return (await this.request<{ items: T[] }>('GET', path)).items;
  }

  create<T = KubeObject>(path: string, body: unknown): Promise<T> {
    return this.request<T>('POST', path, { body });
  }

  replace<T = KubeObject>(path: string, body: unknown): Promise<T> {
    return this.request<T>('PUT', path, { body });
  }

  patch<T = KubeObject>(path: string, body: unknown, type: keyof typeof patchTypes = 'merge'): Promise<T> {
    return this.request<T>('PATCH', path, { body, contentType: patchTypes[type] });
  }

  /** Deletes with the object's own grace unless `body` (DeleteOptions) says otherwise. */
  remove<T = KubeObject>(path: string, body?: unknown): Promise<T> {
    return this.request<T>('DELETE', path, body === undefined ? {} : { body });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** What `node:https` and `ws` need of a connection. */
export const tlsOptions = (c: Connection) => ({
  ca: c.ca,
  cert: c.cert,
  key: c.key,
  rejectUnauthorized: !c.skipTlsVerify,
  ...(c.serverName ? { servername: c.serverName } : {}),
});

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
