import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { mediaType, readBody } from './body.ts';
import type { Api, Call } from './context.ts';
import { discover } from './discovery.ts';
import { dispatch } from './dispatch.ts';
import { ApiError, badRequest, methodNotAllowed, noSuchPath, unauthorized } from './errors.ts';
import { versionAnswer } from './kubernetes-version.ts';
import { openapi } from './openapi.ts';
import { sendError, sendJson, sendText } from './reply.ts';
import { readPath, splitUrl } from './request-info.ts';
import { sameToken } from './reviews.ts';
import { exec } from './subresources/exec.ts';

const health = /^\/(healthz|readyz|livez)(\/|$)/;

/** Paths that anybody may read, as on a real cluster. */
const isPublic = (path: string) => path === '/version' || health.test(path);

/** @throws ApiError 401 without the token, or with another one */
function authenticate(request: IncomingMessage, token: string): void {
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer === undefined || !sameToken(bearer.trim(), token)) throw unauthorized();
}

/** Answers one request; never throws. */
export async function handle(
  api: Api,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await answer(api, token, request, response);
  } catch (error) {
    sendError(response, error);
  }
}

async function answer(api: Api, token: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { path, query } = splitUrl(request.url ?? '/');
  if (isPublic(path)) {
    if (path === '/version') sendJson(response, 200, versionAnswer(api.kubernetes));
    else sendText(response, 200, 'ok', 'text/plain');
    return;
  }
  authenticate(request, token);
  if (!/^\/(api|apis|openapi)(\/|$)/.test(path)) throw noSuchPath();
  if (path.startsWith('/openapi')) return openapi(path, response, api.resources);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (path.split('/').length <= (path.startsWith('/apis') ? 4 : 3)) {
    if (!reads) throw methodNotAllowed();
    if (discover(path, request, response, api.resources)) return;
  }
  const info = readPath(path, query, api.resources);
  const body = reads ? Buffer.alloc(0) : await readBody(request);
  const dry = query.getAll('dryRun').filter(Boolean);
  if (dry.some((value) => value !== 'All'))
    throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(dry[0])}: supported values: "All"`);
  const call: Call = { ...info, api, request, response, body, type: mediaType(request), dryRun: dry.length > 0 };
  await dispatch(call, token);
}

/** Answers a request to change the protocol: only `exec` does. */
export async function handleUpgrade(
  api: Api,
  token: string,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  try {
    authenticate(request, token);
    const { path, query } = splitUrl(request.url ?? '/');
    const info = readPath(path, query, api.resources);
    if (info.subresource !== 'exec') throw noSuchPath();
    const call = { ...info, api, request, body: Buffer.alloc(0), type: '', dryRun: false } as unknown as Call;
    await exec(call, request, socket, head);
  } catch (error) {
    refuse(socket, error);
  }
}

function refuse(socket: Duplex, error: unknown): void {
  const refusal = error instanceof ApiError ? error : new ApiError(500, 'InternalError', (error as Error).message);
  const text = JSON.stringify(refusal.body);
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  if (!socket.destroyed) socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
