import type { LinedEvent } from '../../history/reader.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import type { Interval } from '../../time/interval.ts';

const ARRIVAL_MS = tolerances.arrival.value * 1000;
/** By how much stamps of one machine may differ from the history's clock: the run's start is whole milliseconds. */
export const SAME_CLOCK_MS = 2;
const BACKLOG_MS = tolerances.gapBacklog.value * 1000;

/** What arrives in `[from, until]` may have happened at `from` already. */
interface Gap {
  from: number;
  until: number;
}

const none: readonly Gap[] = [];

/** Each container of a Pod has a log of its own. */
const logOf = ({ uid, container }: { uid: string; container: string }): string => `${uid} ${container}`;

/**
 * Widens the instants of a history by what could have delayed their arrival: a stall of the harness, the cluster or the
 * machine, a gap of the watch that carried them, a lost log stream. Only the lower bound moves: an event never arrives
 * before its cause. What was on its way when a stall or a gap began had left before it: one arrival earlier.
 */
export class Widener {
  /** Stalls, those that touch merged, by time. */
  readonly stalls: Interval[];
  /** Those that hold up a node too, and not only the harness. */
  readonly #nodeStalls: Interval[];
  /** Wall-clock time of the history's zero on the clock of the nodes; undefined where their offset is unknown. */
  readonly #stampZero: number | undefined;
  readonly #watchGaps = new Map<string, Gap[]>();
  readonly #logGaps = new Map<string, Gap[]>();

  /** `stampZero`: see above. */
  constructor(events: readonly LinedEvent[], stampZero?: number) {
    this.#stampZero = stampZero;
    const stalls: Interval[] = [];
    const nodeStalls: Interval[] = [];
    const opened = new Map<string, number[]>();
    const closed = new Map<string, number[]>();
    const push = (map: Map<string, number[]>, key: string, value: number) => {
      const list = map.get(key);
      if (list) list.push(value);
      else map.set(key, [value]);
    };
    for (const event of events) {
      if (event.kind === 'stall') {
        stalls.push([event.data.from, event.data.to]);
        if (event.data.scope !== 'harness') nodeStalls.push([event.data.from, event.data.to]);
      } else if (event.kind === 'watch.gap') this.#addGap(event.data);
      else if (event.kind === 'log.opened') push(opened, logOf(event.data), event.at[1]);
      else if (event.kind === 'log.closed') push(closed, logOf(event.data), event.at[0]);
    }
    this.stalls = merge(stalls);
    this.#nodeStalls = merge(nodeStalls);
    for (const [source, times] of opened) {
      const gaps = times.flatMap((time) => {
        const from = Math.max(...(closed.get(source) ?? []).filter((end) => end <= time));
        return Number.isFinite(from) ? [{ from: from - ARRIVAL_MS, until: time + BACKLOG_MS }] : [];
      });
      if (gaps.length > 0) this.#logGaps.set(source, gaps);
    }
  }

  /** The instant of an event's cause. */
  at(event: LinedEvent): Interval {
    const [lo, hi] = event.at;
    if (event.source === 'action' || event.kind === 'request.sent') return [lo, hi];
    const seen: Interval = [Math.min(lo, this.#heldSince(hi, this.#gapsOf(event), this.stalls)), hi];
    return event.kind === 'log.line' && event.data.stamp !== undefined ? this.#stamped(seen, event.data.stamp) : seen;
  }

  /** The node stamped the line when it came out of the process: nearer to its cause than its arrival here. */
  #stamped(seen: Interval, stamp: string): Interval {
    if (this.#stampZero === undefined) return seen;
    const time = Date.parse(stamp) - this.#stampZero;
    const at: Interval = [
      Math.min(time - ARRIVAL_MS, this.#heldSince(time, none, this.#nodeStalls)) - SAME_CLOCK_MS,
      Math.min(seen[1], time + 1 + SAME_CLOCK_MS),
    ];
    // A stamp that does not fit the arrival is of another clock than we were told.
    return Number.isFinite(time) && at[1] >= seen[0] && at[0] <= seen[1] ? [Math.max(seen[0], at[0]), at[1]] : seen;
  }

  #gapsOf(event: LinedEvent): readonly Gap[] {
    if (event.kind === 'log.line') return this.#logGaps.get(logOf(event.data)) ?? none;
    if (event.source !== 'watch' || this.#watchGaps.size === 0) return none;
    return this.#watchGaps.get(event.subject.slice(0, event.subject.indexOf('/'))) ?? none;
  }

  /**
   * Since when what arrived at `arrival` may have been on its way. What a gap held back may have been held back by a
   * stall at its beginning, and so on: until nothing more is found.
   */
  #heldSince(arrival: number, gaps: readonly Gap[], stalls: readonly Interval[]): number {
    for (let at = arrival; ;) {
      const stall = stallAt(stalls, at);
      let since = stall ? stall[0] - ARRIVAL_MS : at;
      for (const gap of gaps) if (at >= gap.from && at <= gap.until) since = Math.min(since, gap.from);
      // An arrival at the very beginning of a hold is held by it: only an earlier one leads on.
      if (since >= at - ARRIVAL_MS) return at === arrival ? Math.min(since, at) : at - ARRIVAL_MS;
      at = since + ARRIVAL_MS;
    }
  }

  /** The instant at which something left, whose arrival at `time` a client stamped. */
  arrived(time: number): Interval {
    return [Math.min(time - ARRIVAL_MS, this.#heldSince(time, none, this.stalls)), time];
  }

  /** Milliseconds of stalls between two instants: how much later than on a quiet machine anything in there may be. */
  stalledBetween(from: number, to: number): number {
    let sum = 0;
    for (const [a, b] of this.stalls) sum += Math.max(0, Math.min(b, to) - Math.max(a, from));
    return sum;
  }

  #addGap({ path, from, to }: { path: string; from: number; to: number }): void {
    const plural = path.replace(/\?.*$/, '').split('/').pop() ?? '';
    const kind = kindOf(plural);
    const gaps = this.#watchGaps.get(kind) ?? [];
    this.#watchGaps.set(kind, [...gaps, { from: from - ARRIVAL_MS, until: to + BACKLOG_MS }]);
  }
}

const kinds: Record<string, string> = {
  pods: 'Pod',
  events: 'Event',
  nodes: 'Node',
  endpointslices: 'EndpointSlice',
  modeldeployments: 'ModelDeployment',
  workloads: 'Workload',
  services: 'Service',
  deployments: 'Deployment',
  replicasets: 'ReplicaSet',
  dynamoworkermetadatas: 'DynamoWorkerMetadata',
  dynamographdeployments: 'DynamoGraphDeployment',
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

/** The stall in which something arrived, or just after which. */
function stallAt(stalls: readonly Interval[], arrival: number): Interval | undefined {
  let low = 0;
  let high = stalls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stalls[middle] as Interval)[1] + ARRIVAL_MS < arrival) low = middle + 1;
    else high = middle;
  }
  const stall = stalls[low];
  return stall && arrival >= stall[0] ? stall : undefined;
}
