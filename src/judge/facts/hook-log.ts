import type { Collected } from './collected.ts';
import type { HookLog, Instant, PodFacts } from './pod.ts';
import { SAME_CLOCK_MS } from './widen.ts';

/** What the kubelet's log says of a Pod's hook. */
export function hookLogOf(
  pod: Pick<PodFacts, 'name' | 'namespace'>,
  all: Collected,
  startedAt: number,
  sameClock: boolean,
): HookLog | undefined {
  const lines = all.kubelet.filter((l) => l.pod === `${pod.namespace}/${pod.name}`);
  if (lines.length === 0) return undefined;
  const first = (what: string) => lines.filter((l) => l.what === what).sort((a, b) => a.wall - b.wall)[0];
  const [start, alive, end, signal] = ['hook-start', 'hook-alive', 'hook-end', 'signal'].map(first);
  const log: HookLog = { marks: [] };
  for (const line of [start, alive, end, signal]) {
    if (line)
      log.marks.push({ mark: { at: line.event.at, event: line.event }, what: `kubelet: ${line.what} of ${pod.name}` });
  }
  if (start && alive) log.startup = alive.wall - start.wall;
  if (start && signal && !end) log.signalledDuring = true;
  if (end && signal) log.endToSignal = signal.wall - end.wall;
  const instant = (line: (typeof lines)[number], what: string): Instant | undefined => {
    const offset = all.offsets.get(line.node) ?? (sameClock ? ([-SAME_CLOCK_MS, SAME_CLOCK_MS] as const) : undefined);
    if (!offset) return undefined;
    const at = line.wall - startedAt;
    return {
      at: [at - offset[1], at - offset[0]],
      marks: [{ mark: { at: line.event.at, event: line.event }, what: `kubelet ${what} ${pod.name}` }],
    };
  };
  const started = start && instant(start, 'starts the hook of');
  if (started) log.start = started;
  const signalled = signal && instant(signal, 'signals main of');
  if (signalled) log.signal = signalled;
  return log;
}
