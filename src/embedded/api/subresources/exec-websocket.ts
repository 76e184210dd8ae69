import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { ExecOptions, ExecSession } from '../../kubelet-api.ts';
import { badRequest } from '../errors.ts';
import { carry, channel } from './exec-session.ts';
import type { Carrier } from './exec-session.ts';

/** Protocols in the order of our preference. v5 adds the frame that closes a channel. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

const sockets = new WebSocketServer({
  noServer: true,
  maxPayload: 32 * 1024 * 1024,
  handleProtocols: (offered) => protocols.find((p) => offered.has(p)) ?? false,
});

/** @throws ApiError 400 where the client speaks none of our protocols */
export function checkProtocols(request: IncomingMessage): void {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((p) => p.trim());
  if (offered.some((p) => protocols.includes(p))) return;
  throw badRequest(`unable to upgrade: expected one of the protocols ${protocols.join(', ')}`);
}

/** Upgrades the connection and serves a program that runs over it. */
export function overWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  session: ExecSession,
  options: ExecOptions,
): void {
  sockets.handleUpgrade(request, socket, head, (ws) => {
    let over = false;
    ws.on('error', () => ws.terminate());
    ws.on('close', () => {
      if (!over) session.kill();
    });
    ws.on('message', (data: Buffer) => receive(data, session));
    // An empty frame on the lowest readable channel tells the client that the program runs.
    const lowest = options.stdout ? channel.stdout : options.stderr ? channel.stderr : channel.status;
    ws.send(Buffer.from([lowest]));
    const carrier: Carrier = {
      send: (id, data, sent) => frame(ws, id, data, sent),
      end(status) {
        over = true;
        frame(ws, channel.status, Buffer.from(status));
        ws.close(1000);
      },
    };
    carry(session, carrier).catch(() => ws.terminate());
  });
}

const frame = (ws: WebSocket, id: number, data: Buffer, sent?: () => void) =>
  ws.send(Buffer.concat([Buffer.from([id]), data]), sent);

function receive(data: Buffer, session: ExecSession): void {
  const [id, closed] = data;
  if (id === channel.stdin) session.stdin?.write(data.subarray(1));
  else if (id === channel.close && closed === channel.stdin) session.stdin?.end();
}
