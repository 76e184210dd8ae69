import type { LinedEvent } from '../../src/history/reader.ts';
import { parseHistory } from '../../src/history/reader.ts';
import { judge } from '../../src/judge/judge.ts';
import { catalogue } from '../../suites/catalogue.ts';
import { events, manifest } from '../testing/bundle.ts';

interface JudgeBench {
  events: number;
  bytes: number;
  parsedPerSecond: number;
  judgedPerSecond: number;
  /** Events a second where each bundle is as small as that of a short scenario. */
  smallPerSecond: number;
  smallEvents: number;
}

/** A departure under `factor` times the load, as many more samples and log lines in proportion. */
function grown(factor: number): LinedEvent[] {
  const all = Array.from({ length: factor }, (_, copy) => events.flatMap((event) => copyOf(event, copy)));
  return all.flat().map((event, i) => ({ ...event, seq: i, line: i + 1 }));
}

/** What there is once of a departure, its objects and marks, stays once; requests get an id of their own. */
function copyOf(event: LinedEvent, copy: number): LinedEvent[] {
  if (copy === 0) return [event];
  const { kind, at, subject } = event;
  const later: [number, number] = [at[0] + copy * 1e-3, at[1] + copy * 1e-3];
  if (kind === 'gauges') return [{ ...event, at: later }];
  if (kind === 'log.line') {
    const line = event.data.line.replace(/cmpl-(.+)-0:/, `cmpl-$1.${copy}-0:`);
    return line === event.data.line ? [] : [{ ...event, data: { ...event.data, line } }];
  }
  if (!kind.startsWith('request.')) return [];
  const data = { ...event.data, id: `${(event.data as { id: string }).id}.${copy}` };
  return [{ ...event, subject: `${subject}.${copy}`, data } as LinedEvent];
}

/** Runs `work` for about a second, or once; answers how many times a second it can be done. */
function perSecond(work: () => void): number {
  work(); // warm
  const from = performance.now();
  let times = 0;
  while (performance.now() - from < 1000) {
    work();
    times += 1;
  }
  return (times * 1000) / (performance.now() - from);
}

/** Parses and judges a big history, and a small one again and again, all in memory. */
export function benchJudge(target = 100_000): JudgeBench {
  const perCopy = grown(2).length - events.length;
  const big = grown(Math.ceil(target / perCopy));
  const text = big.map(({ line: _, ...event }) => `${JSON.stringify(event)}\n`).join('');
  return {
    events: big.length,
    bytes: Buffer.byteLength(text),
    parsedPerSecond: big.length * perSecond(() => parseHistory(text)),
    judgedPerSecond: big.length * perSecond(() => judge({ manifest, events: big }, catalogue)),
    smallPerSecond: events.length * perSecond(() => judge({ manifest, events }, catalogue)),
    smallEvents: events.length,
  };
}
