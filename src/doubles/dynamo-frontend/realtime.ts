import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Program } from '../program.ts';
import { bodies } from './errors.ts';
import type { Relay } from './relay.ts';
import { leaveWhenClosed, type Doorway } from './service.ts';

const PATH = '/v1/realtime';

/** Close code of a session that ended without a close frame. */
const ABRUPT = 1006;

/** What a client asks for by its first event; beside OpenAI's fields it knows `quiesce`, as completions do. */
interface ClientEvent {
  type?: string;
  quiesce?: { tokens?: number; token_seconds?: number };
}

/**
 * Realtime sessions: an upgrade is answered with 503 while the frontend drains; an accepted session counts as an open body until
 * its socket is closed. Answers what ends those that are left: the connection is closed without a word.
 */
export function realtime(server: Server, { faults, scale }: Program, relay: Relay, door: Doorway): () => void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if ((request.url ?? '').split('?')[0] !== PATH) return refuse(socket, 404, {});
    if (door.stage !== 'ready') return refuse(socket, 503, bodies.draining);
    sockets.handleUpgrade(request, socket, head, (session) => {
      // The upgrade's own response has ended by now.
      if (!faults.has('frontend-forgets-sessions')) leaveWhenClosed(door, session);
      if (faults.has('frontend-ends-with-a-client'))
        session.once('close', (code) => code === ABRUPT && door.onIdle?.());
      converse(session);
    });
  });

  function converse(session: WebSocket): void {
    const send = (event: object) => session.send(JSON.stringify(event));
    send({ type: 'session.created', session: { object: 'realtime.session' } });
    session.on('message', (data: Buffer) => {
      const { type, quiesce = {} } = JSON.parse(data.toString()) as ClientEvent;
      if (type !== 'response.create') return;
      const { tokens = 16, token_seconds: seconds = 0.25 } = quiesce;
      const cancel = relay.converse(tokens, scale.toMs(seconds), {
        tokens: (first, last, finish) => {
          for (let n = first; n < last; n += 1) send({ type: 'response.text.delta', delta: ` t${n}` });
          if (finish) send({ type: 'response.done', response: { status: 'completed' } });
        },
        fail: (error) => send({ type: 'error', ...error }),
      });
      session.once('close', cancel);
    });
  }

  return () => {
    for (const session of sockets.clients) session.terminate();
  };
}

function refuse(socket: Duplex, status: number, body: object): void {
  const text = JSON.stringify(body);
  const head = `HTTP/1.1 ${status} ${status === 404 ? 'Not Found' : 'Service Unavailable'}`;
  socket.end(
    `${head}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
  );
}
