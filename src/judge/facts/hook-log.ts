import type { Collected } from './collected.ts';
import type { HookLog, PodFacts } from './pod.ts';
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
  if (start) {
    const offset = all.offsets.get(start.node) ?? (sameClock ? ([-SAME_CLOCK_MS, SAME_CLOCK_MS] as const) : undefined);
    if (offset) {
      const at = start.wall - startedAt;
      const mark = { at: start.event.at, event: start.event };
      log.start = {
        at: [at - offset[1], at - offset[0]],
        marks: [{ mark, what: `kubelet starts the hook of ${pod.name}` }],
      };
    }
  }
  return log;
}
