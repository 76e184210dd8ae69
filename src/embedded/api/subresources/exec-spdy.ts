import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecOptions, ExecSession } from '../../kubelet-api.ts';
import { KubeletError } from '../../kubelet-api.ts';
import { carry, channel } from './exec-session.ts';
import type { Carrier } from './exec-session.ts';
import { SpdyConnection } from './spdy.ts';

/** The protocol of streams that is spoken: the error stream carries a Status. */
const PROTOCOL = 'v4.channel.k8s.io';

const channels: Record<string, number> = {
  stdin: channel.stdin,
  stdout: channel.stdout,
  stderr: channel.stderr,
  error: channel.status,
};

/** Whether the client offers the protocol that we speak over SPDY. */
export const speaksSpdy = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'spdy/3.1' &&
  String(request.headers['x-stream-protocol-version'] ?? '').includes(PROTOCOL);

/** Upgrades the connection to SPDY, and starts the program as soon as the client has opened its streams. */
export function overSpdy(socket: Duplex, head: Buffer, start: () => Promise<ExecSession>, options: ExecOptions): void {
  const upgrade = [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    'Upgrade: SPDY/3.1',
    `X-Stream-Protocol-Version: ${PROTOCOL}`,
  ];
  socket.write(`${upgrade.join('\r\n')}\r\n\r\n`);
  const wanted = (['stdin', 'stdout', 'stderr'] as const).filter(
    (name) => options[name] && !(name === 'stderr' && options.tty),
  );
  /** Ids of streams by channel, and the other way round. */
  const streams = new Map<number, number>();
  const ids = new Map<number, number>();
  let session: ExecSession | undefined;
  let over = false;
  /** Input that came before the program runs. */
  const early: (() => void)[] = [];
  const whenRunning = (act: () => void) => (session ? act() : void early.push(act));
  const isInput = (id: number) => ids.get(id) === channel.stdin;
  const connection = new SpdyConnection(socket, head, {
    opened(id, headers) {
      const own = channels[headers.get('streamtype') ?? ''];
      if (own === undefined) return;
      streams.set(own, id);
      ids.set(id, own);
      if (streams.size === wanted.length + 1) run().catch(() => socket.destroy());
    },
    data: (id, part) => isInput(id) && whenRunning(() => void session?.stdin?.write(part)),
    finished: (id) => isInput(id) && whenRunning(() => session?.stdin?.end()),
  });
  socket.on('close', () => {
    if (!over) session?.kill();
  });
  const carrier: Carrier = {
    send: (id, data, sent) => connection.send(streams.get(id) ?? 0, data, false, sent),
    end(status) {
      over = true;
      for (const id of [channel.stdout, channel.stderr]) {
        const stream = streams.get(id);
        if (stream !== undefined) connection.send(stream, Buffer.alloc(0), true);
      }
      connection.send(streams.get(channel.status) ?? 0, Buffer.from(status), true);
    },
  };
  async function run(): Promise<void> {
    try {
      session = await start();
    } catch (error) {
      session = { exit: Promise.resolve(new KubeletError(500, (error as Error).message)), kill: () => undefined };
    }
    if (socket.destroyed) session.kill();
    for (const act of early) act();
    await carry(session, carrier);
  }
}
