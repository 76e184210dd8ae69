import http from 'node:http';
import https from 'node:https';
import type { Recorder } from '../history/event.ts';
import { now } from '../time/clock.ts';

/** Loopback address that probes come from, so that an engine's access log tells the harness's reads from a hook's. */
export const PROBE_ADDRESS = '127.0.0.9';

export interface GaugeSource {
  host: string;
  port: number;
  /** TLS without checking the certificate. */
  tls?: boolean;
  /** Subject of what is recorded, `Pod/NAMESPACE/NAME`. */
  subject: string;
  uid: string;
  /** Gauges to sum, by `sum`. */
  names: readonly string[];
  sum: (text: string, names: readonly string[]) => Record<string, number | null>;
  /** Milliseconds from one sample to the next; a slow answer delays it. */
  everyMs: number;
  recorder: Recorder;
  /** Milliseconds until a sample is given up. Default 1000. */
  timeoutMs?: number;
}

export interface GaugeSampler {
  /** No sample is recorded after this. */
  stop(): void;
}

/** Reads `/metrics` of an engine again and again, each time over a connection of its own, and records every try. */
export function sampleGauges(source: GaugeSource): GaugeSampler {
  const { subject, uid, names, sum, everyMs, recorder } = source;
  const unknown = Object.fromEntries(names.map((name) => [name, null]));
  let timer: NodeJS.Timeout | undefined;
  let request: http.ClientRequest | undefined;
  let stopped = false;
  const sample = () => {
    const from = now();
    request = scrape(source, (answer) => {
      if (stopped) return;
      const to = now();
      const values = answer.status === 200 ? sum(answer.text, names) : unknown;
      const error = answer.error === undefined ? {} : { error: answer.error };
      recorder.record('gauges', [from, to], subject, {
        uid,
        status: answer.status,
        durationMs: to - from,
        values,
        ...error,
      });
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

interface Scraped {
  /** 0 where no answer came. */
  status: number;
  text: string;
  error?: string;
}

function scrape(
  { host, port, tls, timeoutMs = 1000 }: GaugeSource,
  done: (answer: Scraped) => void,
): http.ClientRequest {
  const request = (tls ? https : http).get({
    host,
    port,
    path: '/metrics',
    agent: false,
    ...(host.startsWith('127.') ? { localAddress: PROBE_ADDRESS } : {}),
    ...(tls ? { rejectUnauthorized: false } : {}),
  });
  let over = false;
  const finish = (answer: Scraped) => {
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
