import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { ExecOptions, ExecSession } from '../../kubelet-api.ts';
import { KubeletError } from '../../kubelet-api.ts';
import type { Call } from '../context.ts';
import { badRequest } from '../errors.ts';
import { flag } from '../request-info.ts';
import { containerOf, kubeletRefusal } from './container.ts';

/** Channels of the protocol: the first byte of each frame. */
const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

/** Protocols in the order of our preference. v5 adds the frame that closes a channel. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

const sockets = new WebSocketServer({
  noServer: true,
  maxPayload: 32 * 1024 * 1024,
  handleProtocols: (offered) => protocols.find((p) => offered.has(p)) ?? false,
});

/**
 * `exec` over a WebSocket: starts the program, then upgrades the connection.
 * @throws ApiError before the upgrade: 400, 404, or what the kubelet refuses
 */
export async function exec(call: Call, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const { query, api } = call;
  const command = query.getAll('command');
  if (command.length === 0) throw badRequest('you must specify at least one command for the container');
  const on = (name: string) => query.has(name) && flag(query, name);
  const options: ExecOptions = { stdin: on('stdin'), stdout: on('stdout'), stderr: on('stderr'), tty: on('tty') };
  if (!options.stdin && !options.stdout && !options.stderr) {
    throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  }
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((p) => p.trim());
  if (!offered.some((p) => protocols.includes(p))) {
    throw badRequest(`unable to upgrade: expected one of the protocols ${protocols.join(', ')}`);
  }
  const ref = containerOf(call);
  if (!ref) throw badRequest(`pod ${call.name} does not have a host assigned`);
  let session: ExecSession;
  try {
    session = await api.kubelet.exec(ref, command, options);
  } catch (error) {
    throw kubeletRefusal(error);
  }
  if (socket.destroyed) return session.kill();
  sockets.handleUpgrade(request, socket, head, (ws) => void serve(ws, session, options, command));
}

async function serve(ws: WebSocket, session: ExecSession, options: ExecOptions, command: string[]): Promise<void> {
  let over = false;
  ws.on('error', () => ws.terminate());
  ws.on('close', () => {
    if (!over) session.kill();
  });
  ws.on('message', (data: Buffer) => receive(data, session));
  // An empty frame on the lowest readable channel tells the client that the program runs.
  const lowest = options.stdout ? channel.stdout : options.stderr ? channel.stderr : channel.status;
  ws.send(Buffer.from([lowest]));
  const streams = [
    [channel.stdout, session.stdout],
    [channel.stderr, session.stderr],
  ] as const;
  const ended = streams.map(([id, stream]) => (stream ? forward(ws, id, stream) : Promise.resolve()));
  const exit = await session.exit;
  await Promise.all(ended);
  over = true;
  ws.send(Buffer.concat([Buffer.from([channel.status]), Buffer.from(JSON.stringify(statusOf(exit, command)))]));
  ws.close(1000);
}

/** Sends what a stream gives, one frame a piece, and reads on only when the frame is out. */
function forward(ws: WebSocket, id: number, stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('data', (part: Buffer | string) => {
      stream.pause();
      ws.send(Buffer.concat([Buffer.from([id]), Buffer.from(part as Buffer)]), () => stream.resume());
    });
    stream.on('error', () => resolve());
    stream.on('close', () => resolve());
    stream.on('end', () => resolve());
  });
}

function receive(data: Buffer, session: ExecSession): void {
  const [id, closed] = data;
  if (id === channel.stdin) session.stdin?.write(data.subarray(1));
  else if (id === channel.close && closed === channel.stdin) session.stdin?.end();
}

/** The end of a program as the Status that clients read exit codes from. */
function statusOf(exit: number | KubeletError, command: string[]): object {
  const failure = { metadata: {}, status: 'Failure' };
  if (exit instanceof KubeletError) {
    const message = `error executing command in container: ${exit.message}`;
    return { ...failure, message, reason: 'InternalError', details: { causes: [{ message: exit.message }] }, code: 500 };
  }
  if (exit === 0) return { metadata: {}, status: 'Success' };
  return {
    ...failure,
    message: `command terminated with non-zero exit code: error executing command [${command.join(' ')}], exit code ${exit}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exit) }] },
  };
}
