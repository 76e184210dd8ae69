import type { LinedEvent } from '../../history/reader.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import type { Interval } from '../../time/interval.ts';

const ARRIVAL_MS = tolerances.arrival.value * 1000;
const BACKLOG_MS = tolerances.gapBacklog.value * 1000;

interface Gap {
  kind: string;
  from: number;
  until: number;
}

/**
 * Widens the instants of a history by what could have delayed their arrival: a stall of the harness, the cluster or the
 * machine, a gap of the watch that carried them, a lost log stream. Only the lower bound moves: an event never arrives
 * before its cause.
 */
export class Widener {
  /** Stalls, those that touch merged, by time. */
  readonly stalls: Interval[];
  readonly #gaps: Gap[] = [];
  readonly #logGaps = new Map<string, { from: number; until: number }[]>();

  constructor(events: readonly LinedEvent[]) {
    const stalls: Interval[] = [];
    const opened = new Map<string, number[]>();
    const closed = new Map<string, number[]>();
    const push = (map: Map<string, number[]>, key: string, value: number) => {
      const list = map.get(key);
      if (list) list.push(value);
      else map.set(key, [value]);
    };
    for (const event of events) {
      if (event.kind === 'stall') stalls.push([event.data.from, event.data.to]);
      else if (event.kind === 'watch.gap') this.#addGap(event.data);
      else if (event.kind === 'log.opened') push(opened, event.data.uid, event.at[1]);
      else if (event.kind === 'log.closed') push(closed, event.data.uid, event.at[0]);
    }
    this.stalls = merge(stalls);
    for (const [uid, times] of opened) {
      const gaps = times.flatMap((time) => {
        const from = Math.max(...(closed.get(uid) ?? []).filter((end) => end <= time));
        return Number.isFinite(from) ? [{ from, until: time + BACKLOG_MS }] : [];
      });
      if (gaps.length > 0) this.#logGaps.set(uid, gaps);
    }
  }

  /** The instant of an event's cause. */
  at(event: LinedEvent): Interval {
    const hi = event.at[1];
    let lo = event.at[0];
    if (event.source === 'action' || event.kind === 'request.sent') return [lo, hi];
    if (event.source === 'watch') {
      const kind = event.subject.slice(0, event.subject.indexOf('/'));
      for (const gap of this.#gaps) if (gap.kind === kind && hi >= gap.from && hi <= gap.until) lo = Math.min(lo, gap.from);
    } else if (event.kind === 'log.line') {
      const gaps = this.#logGaps.get(event.data.uid);
      if (gaps) for (const gap of gaps) if (hi >= gap.from && hi <= gap.until) lo = Math.min(lo, gap.from);
    }
    return this.stalled([lo, hi]);
  }

  /** `seen`, an instant of arrival, widened by the stall in which it arrived. */
  stalled([lo, hi]: Interval): Interval {
    let low = 0;
    let high = this.stalls.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.stalls[middle] as Interval)[1] + ARRIVAL_MS < hi) low = middle + 1;
      else high = middle;
    }
    const stall = this.stalls[low];
    return stall && hi >= stall[0] ? [Math.min(lo, stall[0]), hi] : [lo, hi];
  }

  /** The instant at which something left, whose arrival at `time` a client stamped. */
  arrived(time: number): Interval {
    return this.stalled([time - ARRIVAL_MS, time]);
  }

  /** Milliseconds of stalls between two instants: how much later than on a quiet machine anything in there may be. */
  stalledBetween(from: number, to: number): number {
    let sum = 0;
    for (const [a, b] of this.stalls) sum += Math.max(0, Math.min(b, to) - Math.max(a, from));
    return sum;
  }

  /** Whether the watch of this kind, or a stall, hides what happened at an instant in `[from, to]`. */
  hidden(kind: string, from: number, to: number): boolean {
    return this.#gaps.some((gap) => gap.kind === kind && gap.from <= to && gap.until >= from);
  }

  #addGap({ path, from, to }: { path: string; from: number; to: number }): void {
    const plural = path.replace(/\?.*$/, '').split('/').pop() ?? '';
    this.#gaps.push({ kind: kindOf(plural), from, until: to + BACKLOG_MS });
  }
}

const kinds: Record<string, string> = {
  pods: 'Pod', events: 'Event', nodes: 'Node', endpointslices: 'EndpointSlice', modeldeployments: 'ModelDeployment',
  workloads: 'Workload', services: 'Service', deployments: 'Deployment', replicasets: 'ReplicaSet',
};
const kindOf = (plural: string) => kinds[plural] ?? plural;

/** Stalls by time; two that lie closer than an arrival takes are one, since an event can be held up by both. */
function merge(stalls: Interval[]): Interval[] {
  const merged: [number, number][] = [];
  for (const [from, to] of stalls.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1] + ARRIVAL_MS) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
