import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { routingProxy } from '../../routers/routing-proxy.ts';
import type { Program } from '../program.ts';
import type { ProxyOptions } from './options.ts';

/** Belong to one connection, or are written anew. */
const own = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length', 'upgrade', 'expect']);

const passedOn = (headers: IncomingHttpHeaders): http.OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !own.has(name) && name !== routingProxy.prefillerHeader),
  );

export interface Leg {
  host: string;
  port: number;
  tls: boolean;
  body: Buffer;
  headers: http.OutgoingHttpHeaders;
}

/** Sends one leg of a request on a connection of its own. */
export function send(program: Program, request: IncomingMessage, { tls, body, headers, ...to }: Leg) {
  const { method = 'GET', url = '/' } = request;
  const leg = (tls ? https : http).request({
    ...to,
    method,
    path: url,
    agent: false,
    localAddress: program.podIP,
    rejectUnauthorized: false,
    headers: { ...passedOn(request.headers), ...headers, 'content-length': body.length },
  });
  leg.end(body);
  return leg;
}

/** Passes a request to the engine in the same Pod and its answer back as it comes. */
export function toEngine(
  program: Program,
  { enginePort: port, tls }: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  headers: http.OutgoingHttpHeaders,
): void {
  const leg = send(program, request, { host: program.podIP, port, tls, body, headers });
  response.once('close', () => leg.destroy());
  leg.on('response', (answer) => {
    const { 'content-length': length } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, {
      ...passedOn(answer.headers),
      ...(length === undefined ? {} : { 'content-length': length }),
    });
    response.flushHeaders();
    answer.pipe(response);
    // Cut in the middle: an end without the terminator, no error frame.
    answer.on('error', () => response.destroy());
  });
  leg.on('error', (error: NodeJS.ErrnoException) => {
    if (response.headersSent) return void response.destroy();
    const refused = error.code === 'ECONNREFUSED';
    const status = refused ? 503 : 502;
    const type = refused ? 'ServiceUnavailable' : 'BadGateway';
    const message = refused ? error.message : 'EOF';
    response
      .writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
      .end(JSON.stringify({ object: 'error', message, type, param: null, code: status }));
  });
}
