import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecOptions } from '../../kubelet-api.ts';
import type { Call } from '../context.ts';
import { badRequest } from '../errors.ts';
import { flag } from '../request-info.ts';
import { containerOf, kubeletRefusal } from './container.ts';
import { overSpdy, speaksSpdy } from './exec-spdy.ts';
import { checkProtocols, overWebSocket } from './exec-websocket.ts';

function readOptions(query: URLSearchParams): ExecOptions {
  const on = (name: string) => query.has(name) && flag(query, name);
  const options = { stdin: on('stdin'), stdout: on('stdout'), stderr: on('stderr'), tty: on('tty') };
  if (options.stdin || options.stdout || options.stderr) return options;
  throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
}

/**
 * `exec`: runs a program in a container over an upgraded connection, a WebSocket or (kubectl before 1.30) SPDY.
 * @throws ApiError before the upgrade: 400, 404, or what the kubelet refuses
 */
export async function exec(call: Call, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const { query, api } = call;
  const command = query.getAll('command');
  if (command.length === 0) throw badRequest('you must specify at least one command for the container');
  const options = readOptions(query);
  const ref = containerOf(call);
  if (!ref) throw badRequest(`pod ${call.name} does not have a host assigned`);
  const start = () => api.kubelet.exec(ref, command, options);
  if (speaksSpdy(request)) return overSpdy(socket, head, start, options);
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
    throw badRequest('unable to upgrade: expected the protocol websocket or SPDY/3.1');
  }
  checkProtocols(request);
  const session = await start().catch((error: unknown) => Promise.reject(kubeletRefusal(error) as Error));
  if (socket.destroyed) session.kill();
  else overWebSocket(request, socket, head, session, options);
}
