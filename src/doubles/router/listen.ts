import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Program } from '../program.ts';

/** Listens without limits on how long a request may take to come or an idle connection to stay. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  server.keepAliveTimeout = 65_000;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, 511, resolve);
  });
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves the metrics of a registry at `/metrics`, and whatever else is asked for by its path. */
export const exporter = (registry: Registry, others: Record<string, Serve> = {}): Server =>
  http.createServer((request, response) => {
    request.resume();
    const other = others[request.url ?? ''];
    if (other) return other(request, response);
    void registry.metrics().then((page) => {
      const found = request.url === '/metrics';
      response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' }).end(found ? page : '');
    });
  });

export interface Drain {
  /** Written to the log at the signal. */
  mark: string;
  /** Documented seconds that open requests are given; undefined: however long they take. */
  grace: number | undefined;
}

/**
 * A server that ends as an axum one does: at the first SIGTERM the listener and idle connections close, open requests go on,
 * the exit code is 0 even where the grace cuts some. A second signal does nothing.
 */
export function drainingServer(program: Program, { mark, grace }: Drain, serve: Serve): Server {
  let stopping = false;
  const server = http.createServer((request, response) => {
    // Once the listener is closed no connection outlives its answer.
    if (stopping) response.shouldKeepAlive = false;
    response.once('close', () => stopping && server.closeIdleConnections());
    serve(request, response);
  });
  const stop = () => {
    if (stopping) return;
    stopping = true;
    program.log(`INFO ${mark}`);
    server.close(() => process.exit(0));
    if (grace !== undefined) setTimeout(() => server.closeAllConnections(), program.scale.toMs(grace));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return server;
}

/** Answers with JSON, or with text where the body is a string. */
export function answer(response: ServerResponse, status: number, body: unknown): void {
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
}
