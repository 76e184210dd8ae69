import type { IncomingMessage, ServerResponse } from 'node:http';
import { routingProxy } from '../../routers/routing-proxy.ts';
import type { Program } from '../program.ts';
import { send } from './pass.ts';

/** What the decoder is to be sent after the prefiller has computed; undefined where the client has its answer already. */
export type Prefilled = { body: Buffer; requestId: string } | undefined;

const REMOTE = {
  do_remote_decode: true,
  do_remote_prefill: false,
  remote_engine_id: null,
  remote_block_ids: null,
  remote_host: null,
  remote_port: null,
};

/** The address of the prefiller that the request names: the first of a list. */
export function prefillerOf({ headers }: IncomingMessage): { host: string; port: number } | undefined {
  const named = headers[routingProxy.prefillerHeader];
  const [, host, port] = /^\s*([^,\s]+):(\d+)/.exec(typeof named === 'string' ? named : '') ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}

/**
 * The first leg of a split request: the prefiller is asked for one token, not as a stream, and what it says of its KV goes
 * into the body for the decoder. Its errors are passed on and the decoder is not asked; refused, the answer is an empty 502.
 */
export async function prefill(
  program: Program,
  request: IncomingMessage,
  response: ServerResponse,
  asked: Buffer,
  to: { host: string; port: number },
): Promise<Prefilled> {
  const body = parse(asked);
  if (!body) return { body: asked, requestId: crypto.randomUUID() };
  const requestId = firstOf(request.headers['x-request-id']) ?? crypto.randomUUID();
  const { stream_options: _, ...rest } = body;
  const one = { ...rest, stream: false, max_tokens: 1, max_completion_tokens: 1, min_tokens: 1 };
  const leg = send(program, request, {
    ...to,
    tls: false,
    headers: { 'x-request-id': requestId },
    body: Buffer.from(JSON.stringify({ ...one, kv_transfer_params: REMOTE })),
  });
  response.once('close', () => leg.destroy());
  return new Promise((resolve) => {
    leg.on('error', () => {
      if (!response.headersSent) response.writeHead(502).end();
      resolve(undefined);
    });
    leg.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', () => resolve(undefined));
      answer.on('end', () => {
        const text = Buffer.concat(parts);
        const status = answer.statusCode ?? 502;
        if (status >= 400) {
          response.writeHead(status, { 'content-type': answer.headers['content-type'] ?? 'text/plain' }).end(text);
          return resolve(undefined);
        }
        const params = parse(text)?.['kv_transfer_params'];
        const whole = params === undefined ? body : { ...body, kv_transfer_params: params };
        resolve({ body: Buffer.from(JSON.stringify(whole)), requestId });
      });
    });
  });
}

function parse(text: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const firstOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value ? value : undefined;
