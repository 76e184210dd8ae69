import http from 'node:http';

/** What one read of the engine's metrics came to. */
export type Read =
  | { kind: 'page'; body: string }
  | { kind: 'timeout' }
  /** No metrics came: refused or reset, an HTTP error, a failed handshake. */
  | { kind: 'failed'; why: 'refused' | 'error' | 'tls'; detail: string };

export interface Target {
  scheme: 'http' | 'https';
  address: string;
  port: number;
  /** For each step of its own, as Python's socket timeout is: to connect, and to be answered. */
  timeoutMs: number;
}

/** Opens a request for `/metrics` on a connection of its own. */
export type Opener = (options: http.RequestOptions) => http.ClientRequest;

/**
 * What opens the requests. TLS is loaded only where it is needed, and before the first read: its start costs tens of
 * milliseconds, which a read's timeout does not have to spare.
 */
export async function opener(scheme: 'http' | 'https'): Promise<Opener> {
  if (scheme === 'http') return http.request;
  const [https, tls] = await Promise.all([import('node:https'), import('node:tls')]);
  const trusting = { secureContext: tls.createSecureContext(), rejectUnauthorized: false };
  return (options) => https.request({ ...options, ...trusting });
}

/** Reads `/metrics` once, from the Pod's own address; never throws. */
export function readMetrics(open: Opener, { scheme, address, port, timeoutMs }: Target): Promise<Read> {
  return new Promise((resolve) => {
    const headers = { connection: 'close' };
    const request = open({ host: address, port, localAddress: address, path: '/metrics', agent: false, headers });
    let connected = false;
    const end = (result: Read) => {
      clearTimeout(timer);
      clearImmediate(last);
      resolve(result);
      request.destroy();
    };
    let timer: NodeJS.Timeout | undefined;
    let last: NodeJS.Immediate | undefined;
    const arm = () => {
      clearTimeout(timer);
      // A process that got no CPU finds its timer due and the answer there: what has come is looked at first.
      timer = setTimeout(() => (last = setImmediate(end, { kind: 'timeout' })), timeoutMs);
    };
    arm();
    const fail = (error: Error) =>
      end({ kind: 'failed', why: scheme === 'https' && connected ? 'tls' : 'refused', detail: error.message });
    request.on('socket', (socket) =>
      socket.once('connect', () => {
        connected = true;
        arm();
      }),
    );
    request.on('error', fail);
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status >= 400) return end({ kind: 'failed', why: 'error', detail: `status ${status}` });
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (body += part));
      response.on('error', fail);
      response.on('end', () => end({ kind: 'page', body }));
    });
    request.end();
  });
}

const sample = /^([^\s{#]+)(?:\{.*\})?\s+(\S+)(?:\s+-?\d+)?\s*$/;

/**
 * Sums the named gauges of a page over all series, or over the first series of each where `firstOnly` (a fault). NaN for a
 * sample that is no number; Infinity, which is busy, where a gauge is absent: the page names what ends the hook while work
 * runs, and that is not among it. `absentIsZero` (a fault): as implemented.
 */
export function sumGauges(
  page: string,
  names: readonly string[],
  { firstOnly = false, absentIsZero = false }: { firstOnly?: boolean; absentIsZero?: boolean } = {},
): number {
  let value = 0;
  const seen = new Set<string>();
  for (const line of page.split('\n')) {
    const name = /^[^\s{#]+/.exec(line)?.[0];
    if (name === undefined || !names.includes(name) || (firstOnly && seen.has(name))) continue;
    seen.add(name);
    value += Number(sample.exec(line)?.[2] ?? NaN);
  }
  return absentIsZero || names.every((name) => seen.has(name)) ? value : Infinity;
}
