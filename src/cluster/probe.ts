import http from 'node:http';
import https from 'node:https';

/** Loopback address that probes come from, so that an engine's access log tells the harness's reads from a hook's. */
export const PROBE_ADDRESS = '127.0.0.9';

export interface Probed {
  host: string;
  port: number;
  path: string;
  /** TLS without checking the certificate. */
  tls?: boolean;
  /** Milliseconds until the answer is given up. Default 1000. */
  timeoutMs?: number;
}

export interface ProbeAnswer {
  /** 0 where no answer came. */
  status: number;
  text: string;
  error?: string;
}

/** Reads one path once, over a connection of its own. */
export function probeOnce(
  { host, port, path, tls, timeoutMs = 1000 }: Probed,
  done: (answer: ProbeAnswer) => void,
): http.ClientRequest {
  const request = (tls ? https : http).get({
    host,
    port,
    path,
    agent: false,
    ...(host.startsWith('127.') ? { localAddress: PROBE_ADDRESS } : {}),
    ...(tls ? { rejectUnauthorized: false } : {}),
  });
  let over = false;
  const finish = (answer: ProbeAnswer) => {
    if (over) return;
    over = true;
    clearTimeout(patience);
    done(answer);
  };
  const fail = (error: Error) => finish({ status: 0, text: '', error: error.message });
  const patience = setTimeout(() => request.destroy(new Error(`timeout: no answer within ${timeoutMs} ms`)), timeoutMs);
  request.on('error', fail);
  request.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => (text += part));
    response.on('error', fail);
    response.on('end', () => finish({ status: response.statusCode ?? 0, text }));
  });
  return request;
}

/** Calls `sample` again and again, `everyMs` from one begin to the next; a slow answer delays it. The result ends that. */
export function repeatProbe(
  of: Probed,
  everyMs: number,
  now: () => number,
  answered: (answer: ProbeAnswer, from: number, to: number) => void,
): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let request: http.ClientRequest | undefined;
  let stopped = false;
  const sample = () => {
    const from = now();
    request = probeOnce(of, (answer) => {
      if (stopped) return;
      const to = now();
      answered(answer, from, to);
      timer = setTimeout(sample, Math.max(0, from + everyMs - to));
    });
  };
  sample();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      request?.destroy();
    },
  };
}
