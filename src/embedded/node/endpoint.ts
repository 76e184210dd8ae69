import https from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Certificate } from '../api/certificate.ts';
import { overSpdy, speaksSpdy } from '../api/subresources/exec-spdy.ts';
import { checkProtocols, overWebSocket } from '../api/subresources/exec-websocket.ts';
import type { ContainerRef, KubeletApi, LogOptions } from '../kubelet-api.ts';
import { KubeletError } from '../kubelet-api.ts';
import type { Authorizer } from './authorize.ts';

export interface EndpointOptions {
  node: string;
  address: string;
  tls: Certificate;
  /** Certificate of the authority that the caller's is checked against. */
  callers: string;
  authorizer: Authorizer;
  /** The kubelet of this node; undefined while it starts. */
  kubelet: () => KubeletApi | undefined;
}

/**
 * The endpoint of a node's kubelet, on a port of its own: logs, exec and the kubelet's log, which the API server asks for on
 * behalf of its clients. Paths and queries are those of a real kubelet.
 */
export class KubeletEndpoint {
  readonly port: number;
  readonly #server: https.Server;
  readonly #upgraded: Set<Duplex>;

  private constructor(server: https.Server, upgraded: Set<Duplex>) {
    this.#server = server;
    this.#upgraded = upgraded;
    this.port = (server.address() as AddressInfo).port;
  }

  /** @throws the system's error (as a rejection) where the address cannot be listened on */
  static async start(options: EndpointOptions): Promise<KubeletEndpoint> {
    const { tls, callers, address } = options;
    const server = https.createServer(
      { ...tls, ca: callers, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] },
      (request, response) => void answer(options, request, response),
    );
    const upgraded = new Set<Duplex>();
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      upgraded.add(socket);
      socket.on('close', () => upgraded.delete(socket));
      void upgrade(options, request, socket, head);
    });
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, address, () => {
        server.off('error', reject).on('error', () => undefined);
        resolve();
      });
    });
    return new KubeletEndpoint(server, upgraded);
  }

  async stop(): Promise<void> {
    for (const socket of this.#upgraded) socket.destroy();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function answer(options: EndpointOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://kubelet');
    const kubelet = await admit(options, request);
    const [first, ...rest] = pathname.split('/').filter(Boolean).map(decodeURIComponent);
    if (request.method === 'GET' && pathname === '/healthz') response.end('ok');
    else if (request.method !== 'GET') throw new KubeletError(405, 'method not allowed');
    else if (first === 'containerLogs') {
      pipe(response, await kubelet.logs(container(options.node, rest), logOptions(searchParams)));
    } else if (pathname === '/logs/kubelet.log') pipe(response, await kubelet.kubeletLog(options.node));
    else throw new KubeletError(404, '404 page not found');
  } catch (error) {
    const { status, message } = refusal(error);
    response.writeHead(status, { 'content-type': 'text/plain' }).end(message);
  }
}

async function upgrade(options: EndpointOptions, request: IncomingMessage, socket: Duplex, head: Buffer) {
  socket.on('error', () => socket.destroy());
  try {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'https://kubelet');
    const kubelet = await admit(options, request);
    const [first, ...rest] = pathname.split('/').filter(Boolean).map(decodeURIComponent);
    if (first !== 'exec') throw new KubeletError(404, '404 page not found');
    const ref = container(options.node, rest);
    const on = (name: string) => ['1', 'true'].includes(query.get(name) ?? '');
    const wanted = { stdin: on('input'), stdout: on('output'), stderr: on('error'), tty: on('tty') };
    const command = query.getAll('command');
    const start = () => kubelet.exec(ref, command, wanted);
    if (speaksSpdy(request)) return overSpdy(socket, head, start, wanted);
    checkProtocols(request);
    const session = await start();
    if (socket.destroyed) session.kill();
    else overWebSocket(request, socket, head, session, wanted);
  } catch (error) {
    const { status, message } = refusal(error);
    const headers = `content-type: text/plain\r\ncontent-length: ${Buffer.byteLength(message)}\r\nconnection: close`;
    if (!socket.destroyed) socket.end(`HTTP/1.1 ${status} Refused\r\n${headers}\r\n\r\n${message}`);
  }
}

/** The kubelet, for a caller that may use it. */
async function admit({ kubelet, authorizer, node }: EndpointOptions, request: IncomingMessage): Promise<KubeletApi> {
  const verb = request.method === 'GET' ? 'get' : 'create';
  if (!(await authorizer.allows(request.socket as TLSSocket, verb, node))) throw new KubeletError(403, 'Forbidden');
  const found = kubelet();
  if (!found) throw new KubeletError(503, 'the kubelet is starting');
  return found;
}

/** `/containerLogs/NAMESPACE/POD/CONTAINER`, `/exec/NAMESPACE/POD/CONTAINER` or with the Pod's UID before the container. */
function container(nodeName: string, words: readonly string[]): ContainerRef {
  const [namespace, pod] = words;
  const name = words.length === 4 ? words[3] : words[2];
  if (!namespace || !pod || !name || words.length > 4) throw new KubeletError(404, '404 page not found');
  return { nodeName, namespace, pod, container: name };
}

function logOptions(query: URLSearchParams): LogOptions {
  const whole = (name: string): number | undefined => {
    const text = query.get(name);
    if (!text) return undefined;
    if (/^\d+$/.test(text)) return Number(text);
    throw new KubeletError(400, `${name} "${text}" is no whole number`);
  };
  const [tailLines, limitBytes] = [whole('tailLines'), whole('limitBytes')];
  const since = Date.parse(query.get('sinceTime') ?? '');
  const sinceSeconds = Number.isNaN(since) ? whole('sinceSeconds') : Math.max(0, (Date.now() - since) / 1000);
  return {
    follow: query.get('follow') === 'true',
    timestamps: query.get('timestamps') === 'true',
    previous: query.get('previous') === 'true',
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
  };
}

function pipe(response: ServerResponse, stream: Readable): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.flushHeaders();
  response.on('close', () => stream.destroy());
  stream.on('error', () => response.destroy());
  stream.pipe(response);
}

function refusal(error: unknown): { status: number; message: string } {
  const { status, message } = error as { status?: number; message: string };
  return { status: status && status >= 400 ? status : 500, message };
}
