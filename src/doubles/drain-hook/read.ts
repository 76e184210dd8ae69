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
  timeoutMs: number;
}

/** Reads `/metrics` once, on a connection of its own from the Pod's own address; never throws. */
export async function readMetrics(target: Target): Promise<Read> {
  const { scheme, address, port, timeoutMs } = target;
  // TLS costs start-up time that most hooks need not pay.
  const secure = scheme === 'https' ? await import('node:https') : undefined;
  return new Promise((resolve) => {
    const options = { host: address, port, localAddress: address, path: '/metrics', agent: false as const };
    const request = secure
      ? secure.request({ ...options, rejectUnauthorized: false })
      : http.request({ ...options, headers: { connection: 'close' } });
    let connected = false;
    const end = (result: Read) => {
      clearTimeout(timer);
      resolve(result);
      request.destroy();
    };
    const timer = setTimeout(() => end({ kind: 'timeout' }), timeoutMs);
    const fail = (error: Error) =>
      end({ kind: 'failed', why: secure && connected ? 'tls' : 'refused', detail: error.message });
    request.on('socket', (socket) => socket.once('connect', () => (connected = true)));
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
 * Sums the named gauges of a page over all series, or over the first series of each where `firstOnly` (a fault). A gauge
 * that is absent counts as 0, as the documented hook has it; a sample that is no number gives NaN.
 */
export function sumGauges(page: string, names: readonly string[], firstOnly = false): number {
  let value = 0;
  const seen = new Set<string>();
  for (const line of page.split('\n')) {
    const name = /^[^\s{#]+/.exec(line)?.[0];
    if (name === undefined || !names.includes(name) || (firstOnly && seen.has(name))) continue;
    seen.add(name);
    value += Number(sample.exec(line)?.[2] ?? NaN);
  }
  return value;
}
