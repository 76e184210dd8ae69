import net from 'node:net';
import tls from 'node:tls';

/** A client that tells apart what HTTP libraries fold together: terminator, FIN, reset, refusal. */
export interface Exchange {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** `complete`: the message ended as its framing says; `fin`: closed before that; else the socket's error code. */
  end: 'complete' | 'fin' | 'hung-up' | (string & {}) | undefined;
  endedAt: number;
  /** Milliseconds after sending at which each piece of the body came. */
  times: number[];
  sentAt: number;
  /** Settles at the end of the exchange. */
  over: Promise<Exchange>;
  /** Settles once the condition holds; looked at with every byte. */
  until(condition: (exchange: Exchange) => boolean): Promise<void>;
  hangUp(): void;
}

export interface ExchangeOptions {
  host: string;
  port: number;
  method?: string;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
  from?: string;
  secure?: boolean;
}

export function exchange(options: ExchangeOptions): Exchange {
  const { host, port, method = 'GET', path = '/', body, headers = {}, from, secure } = options;
  const payload = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const where = { host, port, ...(from ? { localAddress: from } : {}) };
  const socket = secure ? tls.connect({ ...where, rejectUnauthorized: false }) : net.connect(where);
  const waiting: { condition: (e: Exchange) => boolean; resolve: () => void; reject: (e: Error) => void }[] = [];
  let finish!: (exchange: Exchange) => void;
  const it: Exchange = {
    status: 0,
    headers: {},
    body: '',
    end: undefined,
    endedAt: 0,
    times: [],
    sentAt: performance.now(),
    over: new Promise((resolve) => (finish = resolve)),
    until: (condition) =>
      new Promise((resolve, reject) => {
        if (condition(it)) resolve();
        else if (it.end) reject(new Error(`ended (${it.end}) before that: ${it.status} ${it.body.slice(-300)}`));
        else waiting.push({ condition, resolve, reject });
      }),
    hangUp: () => end('hung-up'),
  };
  const look = () => {
    for (const entry of waiting.splice(0)) {
      if (entry.condition(it)) entry.resolve();
      else if (it.end) entry.reject(new Error(`ended (${it.end}) before that: ${it.status} ${it.body.slice(-300)}`));
      else waiting.push(entry);
    }
  };
  function end(how: string): void {
    if (it.end) return;
    it.end = how;
    it.endedAt = performance.now();
    socket.destroy();
    look();
    finish(it);
  }
  let pending = Buffer.alloc(0);
  let chunked = false;
  let left = -1;
  const take = (bytes: Buffer) => {
    it.body += bytes.toString();
    it.times.push(performance.now() - it.sentAt);
  };
  const head = (): boolean => {
    const at = pending.indexOf('\r\n\r\n');
    if (at < 0) return false;
    const [first = '', ...lines] = pending.subarray(0, at).toString().split('\r\n');
    pending = pending.subarray(at + 4);
    it.headers = Object.fromEntries(
      lines.map((l) => [l.slice(0, l.indexOf(':')).toLowerCase(), l.slice(l.indexOf(':') + 1).trim()]),
    );
    it.status = Number(first.split(' ')[1]);
    chunked = it.headers['transfer-encoding'] === 'chunked';
    left = chunked ? -1 : Number(it.headers['content-length'] ?? 0);
    return true;
  };
  const chunk = (): boolean => {
    const at = pending.indexOf('\r\n');
    if (at < 0) return false;
    const size = parseInt(pending.subarray(0, at).toString(), 16);
    if (size === 0) {
      end('complete');
      return false;
    }
    if (pending.length < at + size + 4) return false;
    take(pending.subarray(at + 2, at + 2 + size));
    pending = pending.subarray(at + size + 4);
    return true;
  };
  socket.on('data', (data: Buffer) => {
    pending = Buffer.concat([pending, data]);
    if (it.status === 0 && !head()) return;
    if (chunked) while (chunk());
    else {
      if (pending.length > 0) take(pending);
      left -= pending.length;
      pending = Buffer.alloc(0);
      if (left <= 0) end('complete');
    }
    look();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  socket.on('end', () => end('fin'));
  socket.on('close', () => end('closed'));
  const lines = Object.entries({
    host: `${host}:${port}`,
    ...(payload ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) } : {}),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${payload}`);
  return it;
}

/** The JSON of each server-sent event; `[DONE]` stays text. */
export const events = (body: string): unknown[] =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => (event === 'data: [DONE]' ? '[DONE]' : (JSON.parse(event.slice(6)) as unknown)));

/** The numbers of the tokens in a body, in order. */
export const tokens = (body: string): number[] =>
  [...body.matchAll(/"(?:text|content)":" t(\d+)"/g)].map((m) => Number(m[1]));

let last = 0;
/** An address of this machine's loopback that no other test uses. */
export const freshAddress = (): string => `127.${96 + (process.pid % 16)}.${(process.pid >> 4) % 250}.${(last += 1)}`;
