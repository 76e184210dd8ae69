import type { Recorder } from '../history/event.ts';
import { now } from '../time/clock.ts';
import { repeatProbe } from './probe.ts';

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
  return repeatProbe({ ...source, path: '/metrics' }, everyMs, now, ({ status, text, error }, from, to) => {
    recorder.record('gauges', [from, to], subject, {
      uid,
      status,
      durationMs: to - from,
      values: status === 200 ? sum(text, names) : unknown,
      ...(error === undefined ? {} : { error }),
    });
  });
}
