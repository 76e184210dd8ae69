import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dynamoLines } from '../../engines/dynamo/log.ts';
import type { Journal } from '../dynamo/journal.ts';
import { pathOf, type Order } from '../dynamo/plane.ts';
import { listen } from '../router/listen.ts';
import { readWhole } from '../router/passage.ts';
import type { Endpoint } from './endpoint.ts';

/** Opens the request plane of some endpoints; answers its host and port. */
export async function openPlane(
  endpoints: readonly Endpoint[],
  host: string,
  port: number,
  tell: Journal,
): Promise<string> {
  const server = http.createServer((request, response) => void serve(endpoints, tell, request, response));
  await listen(server, port, host);
  return `${host}:${(server.address() as AddressInfo).port}`;
}

async function serve(
  endpoints: readonly Endpoint[],
  tell: Journal,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readWhole(request);
  if (!body) return;
  const endpoint = endpoints.find(({ name, valid }) => valid && pathOf(name) === request.url);
  if (!endpoint) {
    tell('WARN', `${dynamoLines.noHandler}: ${request.url ?? ''}`);
    response.writeHead(503).end();
    return;
  }
  endpoint.serve(JSON.parse(body.toString()) as Order, response);
}
