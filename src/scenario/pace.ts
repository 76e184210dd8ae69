import type { EventData, EventKind, Recorder } from '../history/event.ts';
import { startLoad } from '../load/driver.ts';
import { planLoad, type Destination } from '../load/plan.ts';
import type { Address } from '../load/stream.ts';
import { now } from '../time/clock.ts';
import type { Seconds, TimeScale } from '../time/scale.ts';
import { DeadlineError, type Live } from './live.ts';
import type { Scenario } from './scenario.ts';

/** Name of the requests that measure. */
export const PACE = 'pace';

/** Tokens of each: their gaps are many enough for one late token to matter little, and are made in seconds. */
const TOKENS = 64;

/** Streams that measure at once at most: beyond, a GPU's pace with a small model hardly changes. */
const STREAMS = 16;

/** Milliseconds of the wall that measuring may take: a token every half second. */
const MEASURED_MS = TOKENS * 500;

interface Measuring {
  live: Live;
  scale: TimeScale;
  model: string;
  resolve: (to: Destination) => Address | Promise<Address>;
}

/**
 * Documented seconds from one token to the next of the engine that a scenario's load goes to, with as many streams as will be open
 * when it acts: a real engine takes no word of how long a request is to last. The requests are part of the history, like others.
 * Undefined where the scenario has no load.
 * @throws DeadlineError where a stream did not come to its end in time, or to another one
 */
export async function measurePace(
  load: Scenario['load'],
  { live, scale, model, resolve }: Measuring,
): Promise<Seconds | undefined> {
  const placed = load?.placed ?? [];
  const to = placed[0]?.to ?? load?.steady?.[0]?.to;
  if (!to) return undefined;
  const open = placed.filter(({ starts, ends = Infinity }) => starts <= 0 && ends > 0);
  const together = open.reduce((sum, { copies: each = 1 }) => sum + each, 0);
  const copies = Math.min(STREAMS, Math.max(1, together));
  const times = new Times(live);
  const from = now();
  const measuring = startLoad({
    plan: planLoad({ placed: [{ name: PACE, to, starts: 0, tokens: TOKENS, copies }], seed: 1, scale }),
    zeroAt: from,
    scale,
    resolve,
    recorder: times,
    silenceMs: MEASURED_MS,
    sampleEveryMs: 0,
    model,
    listener: 'engines',
    userAgent: `quiesce/${PACE}`,
  });
  const wanted = `${copies} streams of ${TOKENS} tokens`;
  try {
    await live.until(
      wanted,
      () => times.ends.length === copies,
      MEASURED_MS,
      () => `${times.ends.length} had ended`,
    );
  } finally {
    await measuring.stop('the pace is measured');
  }
  const wrong = times.ends.find(({ end }) => end !== 'complete');
  if (wrong)
    throw new DeadlineError(wanted, now() - from, `one ended with ${wrong.end} ${wrong.detail ?? wrong.status}`);
  return scale.toSeconds(times.medianMs() / (TOKENS - 1));
}

/** Tells a history what it is told, and keeps when each stream had its first and its last token. */
class Times implements Recorder {
  readonly ends: EventData<'request.end'>[] = [];
  readonly #spans = new Map<string, { first: number; last: number }>();
  readonly #live: Live;

  constructor(live: Live) {
    this.#live = live;
  }

  record<K extends EventKind>(kind: K, at: readonly [number, number], subject: string, data: EventData<K>): void {
    if (kind === 'request.chunk') {
      const span = this.#spans.get(subject) ?? { first: at[0], last: at[0] };
      this.#spans.set(subject, { ...span, last: at[0] });
    }
    if (kind === 'request.end') this.ends.push(data as EventData<'request.end'>);
    this.#live.record(kind, at, subject, data);
  }

  /** Milliseconds from the first token to the last, of the stream in the middle. */
  medianMs(): number {
    const spans = [...this.#spans.values()].map(({ first, last }) => last - first).sort((a, b) => a - b);
    return spans[Math.floor(spans.length / 2)] ?? NaN;
  }
}
