import type { Recorder } from '../history/event.ts';
import { now } from '../time/clock.ts';
import { repeatProbe, type Probed } from './probe.ts';

/** Characters kept of an answer's body: a frontend of Dynamo lists every endpoint of its Kubernetes namespace, with its address. */
const BODY = 8000;

export interface PathSource extends Probed {
  /** Subject of what is recorded, `Pod/NAMESPACE/NAME`. */
  subject: string;
  uid: string;
  /** Milliseconds from one read to the next; a slow answer delays it. */
  everyMs: number;
  recorder: Recorder;
}

/** Reads one path of a Pod, such as `/health`, again and again, and records every try. */
export function samplePath(source: PathSource): { stop(): void } {
  const { subject, uid, path, everyMs, recorder } = source;
  return repeatProbe(source, everyMs, now, ({ status, text, error }, from, to) => {
    recorder.record('probe.http', [from, to], subject, {
      uid,
      path,
      status,
      durationMs: to - from,
      ...(text === '' ? {} : { body: text.slice(0, BODY) }),
      ...(error === undefined ? {} : { error }),
    });
  });
}
