import { drainWindow } from '../../requirements/drain-window.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import { before } from '../../time/interval.ts';
import type { Interval } from '../../time/interval.ts';
import type { TimeScale } from '../../time/scale.ts';
import type { Sample } from './collected.ts';
import { NEVER } from './mark.ts';
import type { Instant, PodFacts } from './pod.ts';
import { standingAt } from './request.ts';
import type { RequestFacts } from './request.ts';

/** The work on a Pod up to its signal. */
export interface Work {
  /** `idle`: proven to have none since `x` (before the delete). `ends`: at x. `outlasts`: some still runs at S. `unknown`: not told. */
  kind: 'idle' | 'ends' | 'outlasts' | 'unknown';
  /** When the last work ended. For `outlasts` the lower end is S; -Infinity for a Pod that never worked. */
  x: Interval;
  /** Up to here a read of the gauges saw work for certain: they fall a little before the last byte leaves. */
  readable: number;
  /** Gauges were read as 0 after x, before S, and never above 0 after that: nothing else kept the replica busy. */
  provenIdle: boolean;
  marks: Instant['marks'];
}

/** Documented seconds before the signal in which a new request may be unknown to the hook: its last pause. */
const UNSEEN_S = 1;

export const sumOf = (sample: Sample): number | undefined => {
  const values = Object.values(sample.data.values);
  if (sample.data.status !== 200 || values.length === 0 || values.some((v) => v === null)) return undefined;
  return values.reduce<number>((a, b) => a + (b ?? 0), 0);
};

/** Whether a read of the gauges was answered and showed nothing but zeros. */
export const allZero = ({ data: { status, values } }: Sample): boolean =>
  status === 200 && Object.values(values).every((v) => v === 0);

/** Requests that a Pod has, or may have, worked on. */
export function requestsOn(pod: PodFacts, requests: readonly RequestFacts[]): readonly RequestFacts[] {
  let index = admittedOn.get(requests);
  if (!index) admittedOn.set(requests, (index = byServer(requests)));
  return index.get(pod.uid) ?? [];
}

/** Every rule asks again for the requests of the same Pods. */
const admittedOn = new WeakMap<readonly RequestFacts[], Map<string, RequestFacts[]>>();

function byServer(requests: readonly RequestFacts[]): Map<string, RequestFacts[]> {
  const index = new Map<string, RequestFacts[]>();
  for (const request of requests) {
    if (!request.admitted) continue;
    for (const uid of request.servers) {
      const list = index.get(uid);
      if (list) list.push(request);
      else index.set(uid, [request]);
    }
  }
  return index;
}

/** The work on `pod` before `S`, from the requests that it served and the reads of its gauges. */
export function workOf(pod: PodFacts, requests: readonly RequestFacts[], S: Interval, scale: TimeScale): Work {
  // Before the first read of a hook could tell anything, only the signal itself cuts a stream as it comes; and from
  // G - 5 on the signal is due by the same time whether the stream was cut by it or just before it.
  const since = (seconds: number) => (pod.D ? S[1] - pod.D.at[0] - scale.toMs(seconds) : Number.NaN);
  const unread = since(drainWindow.settle) < 0 || since((pod.grace ?? NEVER) - drainWindow.exitReserve) >= 0;
  const own = requestsOn(pod, requests).map((request) => {
    const standing = standingAt(request, S, scale);
    const cutAround = standing === 'unclear' && request.cut && before(request.over ?? S, S) === 'undecided';
    return { request, standing: cutAround && unread ? ('running' as const) : standing };
  });
  // The hook cannot have seen what came after its last read.
  const late = S[0] - scale.toMs(UNSEEN_S);
  const unseen = (request: RequestFacts) => {
    // What counts is when the engine took it, which may be long after it was sent.
    const taken = request.received.find((line) => line.uid === pod.uid)?.at[1] ?? request.sent?.at[1];
    return taken !== undefined && taken >= late;
  };
  // Gauges above 0 in the last second may tell of unseen work, unless a request that the hook could see explains them.
  let unseenFrom = NEVER;
  let seenUntil = -NEVER;
  for (const { request } of own) {
    if (unseen(request)) unseenFrom = Math.min(unseenFrom, request.sent?.at[0] ?? -NEVER);
    else seenUntil = Math.max(seenUntil, request.over?.[1] ?? NEVER);
  }
  const explained = (sample: Sample) => unseenFrom > sample.at[1] && seenUntil >= sample.at[0];
  const busyOnes = pod.samples.filter((s) => s.at[0] < S[0] && (sumOf(s) ?? 0) > 0);
  const busy = busyOnes.filter((s) => s.at[1] < late || explained(s)).reduce<Sample | undefined>(laterLow, undefined);
  const lastBusy = busyOnes
    .filter((s) => s.at[0] < late || explained(s))
    .reduce<Sample | undefined>(laterLow, undefined);
  const idle = pod.samples.find((s) => sumOf(s) === 0 && s.at[1] < S[0] && (!lastBusy || s.at[0] > lastBusy.at[0]));
  const running = own.find((o) => o.standing === 'running' && !unseen(o.request));
  const marks: Instant['marks'] = [];
  if (busy) marks.push({ mark: busy, what: `gauges of ${pod.name} above 0` });
  if (idle) marks.push({ mark: idle, what: `gauges of ${pod.name} at 0` });
  if (running?.request.end) {
    marks.push({
      mark: running.request.end,
      what: `${running.request.id} (${running.request.kind}) was open at the signal`,
    });
    return { kind: 'outlasts', x: [S[0], NEVER], readable: S[0], provenIdle: false, marks };
  }
  let lo = busy?.at[0] ?? -NEVER;
  let hi = -NEVER;
  for (const { request, standing } of own) {
    if (standing === 'not-begun' || unseen(request)) continue;
    if (request.over && request.kind && standing === 'ended-before') {
      lo = Math.max(lo, request.over[0]);
      hi = Math.max(hi, request.over[1]);
      if (request.end && request.over[1] === hi)
        marks.push({ mark: request.end, what: `${request.id} ends (${request.kind})` });
    } else {
      lo = Math.max(lo, request.lastChunk?.at[0] ?? request.sent?.at[0] ?? -NEVER);
      hi = NEVER; // its end is not told, or lies on the signal
    }
  }
  if (hi === -NEVER && lastBusy) hi = NEVER;
  // The gauges know more than the requests that the history tells of, in both directions.
  if (idle && hi === NEVER) hi = Math.max(lo, idle.at[1]);
  if (lastBusy && hi < lastBusy.at[0]) hi = Math.max(hi, idle ? idle.at[1] : NEVER);
  const readable = Math.max(busy?.at[0] ?? -NEVER, lo - tolerances.arrival.value * 1000);
  const provenIdle = idle !== undefined && idle.at[1] >= lo;
  // A request of which nothing is left in the history may have gone on: only the gauges tell that none did.
  if (hi !== -NEVER && !provenIdle) hi = NEVER;
  if (hi === -NEVER) return { kind: idle ? 'idle' : 'unknown', x: [-NEVER, -NEVER], readable, provenIdle, marks };
  return { kind: hi === NEVER ? 'unknown' : 'ends', x: [Math.min(lo, hi), hi], readable, provenIdle, marks };
}

const laterLow = (a: Sample | undefined, b: Sample): Sample => (a && a.at[0] >= b.at[0] ? a : b);

/**
 * A read of the gauges before `S` that shows more requests than the history can account for: one of which no trace is
 * left, or that another replica is thought to have served.
 */
export function unaccounted(pod: PodFacts, own: readonly RequestFacts[], S: Interval): Sample | undefined {
  const lag = tolerances.gaugeLag.value * 1000;
  // Each as a sorted list: those begun by the read's end, less those over before its start, are what it can have seen.
  const begun = Float64Array.from(own, (q) => q.sent?.at[0] ?? -NEVER).sort();
  const over = Float64Array.from(own, (q) => (q.over?.[1] ?? NEVER) + lag).sort();
  return pod.samples.find((sample) => {
    const [from, to] = sample.at;
    if (to >= S[0]) return false;
    const known = countBelow(begun, (at) => at <= to) - countBelow(over, (at) => at < from);
    return (sumOf(sample) ?? 0) > known;
  });
}

/** How many of a sorted list lie in its part for which `below` holds. */
function countBelow(sorted: Float64Array, below: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (below(sorted[middle] ?? NEVER)) low = middle + 1;
    else high = middle;
  }
  return low;
}
