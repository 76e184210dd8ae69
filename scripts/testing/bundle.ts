import { openBundle } from '../../src/history/bundle.ts';
import { historyOf } from '../../src/judge/testing/history.ts';
import { simManifest } from '../../src/judge/testing/manifest.ts';
import { simulate } from '../../src/judge/testing/truth.ts';

/** A departure that kept every promise, drawn once. */
const truth = simulate({
  scale: 5,
  grace: 30,
  work: 'ends',
  phase: 0.5,
  engine: 'vLLM',
  watchdog: 0,
  abort: 'abort',
  ignoresSigterm: false,
  beginMs: 10,
  startMs: 60,
  readMs: 5,
  lagMs: 10,
  signalMs: 10,
  kubeletLog: true,
  killingEvent: true,
  fault: 'none',
  seed: 7,
});

export const manifest = simManifest(truth.draw.scale);

/** The events of that departure, as they would have been recorded. */
export const events = historyOf(truth);

/** Writes the bundle of that departure into `folder`. */
export function writeBundle(folder: string): void {
  const bundle = openBundle(folder, manifest);
  for (const { kind, at, subject, data } of events) bundle.record(kind, at, subject, data);
  bundle.close('complete');
}
