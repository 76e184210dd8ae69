import type { EventEmitter } from 'node:events';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dynamoFacts } from '../../engines/dynamo/facts.ts';
import { BadRequest, readGeneration } from '../openai/request.ts';
import type { Program } from '../program.ts';
import { readWhole } from '../router/passage.ts';
import { bodies } from './errors.ts';
import type { Fleet } from '../dynamo/fleet.ts';
import type { Relay } from './relay.ts';

export type Stage = 'ready' | 'draining' | 'stopping';

/** What the drain has to know and to say of the HTTP side. */
export interface Doorway {
  stage: Stage;
  /** Requests whose bodies are open. */
  inflight: number;
  /** Called when the last of them has ended. */
  onIdle: (() => void) | undefined;
}

const inference: ReadonlySet<string> = new Set(['/v1/completions', '/v1/chat/completions']);

/** The HTTP side of a frontend: OpenAI's API, health, liveness, metrics. */
export function service(program: Program, fleet: Fleet, relay: Relay, door: Doorway): Server {
  const { faults } = program;
  return http.createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const json = (status: number, body: unknown) => {
      if (response.destroyed || response.headersSent) return;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.method === 'POST' && inference.has(path)) return void infer(path, request, response, json);
    request.resume();
    switch (path) {
      case '/health':
        return health(json);
      case '/live': {
        const fails =
          door.stage === 'stopping' || (door.stage === 'draining' && faults.has('frontend-live-fails-in-drain'));
        return fails
          ? json(503, { status: 'shutting_down', message: 'Service is shutting down' })
          : json(200, { status: 'live', message: 'Service is live' });
      }
      case '/v1/models':
        return json(200, {
          object: 'list',
          data: [...new Set(fleet.all.flatMap(({ model }) => model || []))].map(card),
        });
      case '/metrics': {
        const name = dynamoFacts.gauges.frontend;
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
        response.end(`# TYPE ${name} gauge\n${name}{model="all"} ${door.inflight}\n`);
        return;
      }
      default:
        return json(404, {});
    }
  });

  function health(json: (status: number, body: unknown) => void): void {
    if (door.stage === 'ready' || (door.stage === 'draining' && faults.has('frontend-health-stays-up'))) {
      const instances = fleet.all.map(({ id }) => ({ instance_id: id, endpoint: 'generate' }));
      return json(200, { status: 'healthy', endpoints: instances.length > 0 ? ['generate'] : [], instances });
    }
    json(503, { status: 'not_ready', stage: door.stage, message: 'Service is not ready' });
  }

  async function infer(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    json: (status: number, body: unknown) => void,
  ): Promise<void> {
    const body = await readWhole(request);
    if (!body) return;
    if (door.stage !== 'ready' && !faults.has('frontend-admits-in-drain')) return json(503, bodies.draining);
    leaveWhenClosed(door, response);
    if (faults.has('frontend-ends-with-a-client'))
      response.once('close', () => response.writableFinished || door.onIdle?.());
    try {
      const id = request.headers['x-request-id'];
      const generation = readGeneration(body.toString(), path.includes('chat'));
      relay.generate(generation, typeof id === 'string' ? id : 'unnamed', response, json);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      json(error.status, { message: error.message, type: error.type, code: error.status });
    }
  }
}

/** Counts something as open until it is closed. */
export function leaveWhenClosed(door: Doorway, open: Pick<EventEmitter, 'once'>): void {
  door.inflight += 1;
  open.once('close', () => {
    door.inflight -= 1;
    if (door.inflight === 0) door.onIdle?.();
  });
}

const card = (id: string) => ({ id, object: 'model', owned_by: 'nvidia' });
