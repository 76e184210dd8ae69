import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { routingProxy } from '../../routers/routing-proxy.ts';
import { startProgram } from '../program.ts';
import { readOptions } from './options.ts';
import { toEngine } from './pass.ts';
import { prefill, prefillerOf } from './prefill.ts';

/**
 * Stands for llm-d's routing proxy in front of a decoder's engine in the same Pod. It has no drain: SIGTERM ends it at
 * once, and every request that goes through it is cut without a word, though the engine goes on.
 */
const program = startProgram();
const options = readOptions(process.argv.slice(2));
const log = (message: string) =>
  program.log(JSON.stringify({ level: 'info', ts: new Date().toISOString(), msg: message }));

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0];
  if (path === '/health') return void response.writeHead(200, { 'content-length': 0 }).end();
  const body = await readBody(request);
  if (body === undefined) return;
  const prefiller = prefillerOf(request);
  if (!prefiller) return toEngine(program, options, request, response, body, {});
  const prefilled = await prefill(program, request, response, body, prefiller);
  if (!prefilled) return;
  const { requestId } = prefilled;
  toEngine(program, options, request, response, prefilled.body, { 'x-request-id': requestId });
}

const server = http.createServer((request, response) => void handle(request, response));
server.requestTimeout = 0;
server.headersTimeout = 0;
server.listen(options.port, program.bind(), () => log('starting'));

process.once('SIGTERM', () => {
  log('shutting down');
  server.close();
  setTimeout(() => process.exit(0), routingProxy.exitMs);
});

/** The whole body; undefined where the client hung up before it was there. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', () => resolve(undefined));
  });
}
