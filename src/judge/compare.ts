import { tolerances } from '../requirements/tolerances.ts';
import type { Interval } from '../time/interval.ts';
import type { Facts } from './facts/facts.ts';
import type { Instant, PodFacts } from './facts/pod.ts';
import type { PodCase } from './rule.ts';
import { evidenceOf, need, undecided } from './rule.ts';
import type { Finding } from './verdict.ts';

/** One side of a bound, on the harness's clock: up to `pass` it is kept for certain, beyond `fail` it is broken for certain. */
export interface Side {
  pass: number;
  fail: number;
}

/** What is measured of the machine and belongs to no promise, in milliseconds of the wall. */
export interface Overheads {
  /** A gauge read, at least and at most. */
  r: number;
  rMost: number;
  /** Start of the hook, and its end with the signal that follows. */
  p: number;
  g: number;
}

const READ_CADENCE_S = 1;

/** Overheads in the window of a Pod's end: the largest gauge read, the hook's start and end, the lag of a gauge. */
export function overheadsOf({ facts: { scale }, pod }: Pick<PodCase, 'facts' | 'pod'>): Overheads {
  const from = pod.D?.at[0] ?? 0;
  const to = pod.S?.at[1] ?? Infinity;
  const second = scale.toMs(READ_CADENCE_S);
  let r = 0;
  for (const s of pod.samples) {
    if (s.data.status === 200 && s.at[1] >= from && s.at[0] <= to) r = Math.max(r, s.data.durationMs);
  }
  if (r === 0) r = tolerances.read.value * 1000;
  // The hook's own reads may be slower than the harness's: what its pauses are longer than a second by. A read of more
  // than a second would have timed out, so a longer pause is a slow hook and no slow read.
  let rMost = r;
  for (let i = 1; i < pod.reads.length; i++) {
    const [a, b] = [pod.reads[i - 1]?.at ?? [0, 0], pod.reads[i]?.at ?? [0, 0]];
    if (b[0] - a[1] - second > second) continue;
    r = Math.max(r, b[0] - a[1] - second);
    rMost = Math.max(rMost, Math.min(b[1] - a[0] - second, second));
  }
  const p = pod.hookLog?.startup ?? tolerances.processStart.value * 1000;
  return { r, rMost: Math.max(r, rMost), p: p + tolerances.hookEnds.value * 1000, g: tolerances.gaugeLag.value * 1000 };
}

/** Seconds of the document from the Pod's delete, two digits. */
export function secondsFrom(facts: Facts, origin: Interval, at: number): string {
  if (!Number.isFinite(at)) return at > 0 ? 'never' : 'before';
  return `${facts.scale.toSeconds(at - origin[0]).toFixed(2)} s`;
}

/**
 * Documented seconds before a bound from which on a stall can have moved an instant past it: the hook's last pauses and
 * reads, and its settle time's end. A stall before that ended before anything was due.
 */
const DUE_S = 3;

/** Milliseconds after K + G within which the kill has ended a process. */
export const killWithin = ({ scale }: Facts): number =>
  tolerances.kill.value * 1000 + scale.toMs(tolerances.wholeSeconds.value);

/** Milliseconds of stalls that can have moved `seen` past `bound`. */
export const stallsPast = ({ scale, widener }: Facts, bound: number, seen: Interval): number =>
  widener.stalledBetween(bound - scale.toMs(DUE_S), seen[1]);

/** The upper side of a bound: `anchor` + `seconds`, plus what the machine takes (`mostMs`: at the very most). */
export function upper(
  of: PodCase,
  anchor: Interval,
  seconds: number,
  overheadMs: number,
  seen: Interval,
  mostMs = overheadMs,
): Side {
  const { scale } = of.facts;
  const add = scale.toMs(seconds);
  const cap = scale.toMs(tolerances.overheadCap.value);
  const stalls = stallsPast(of.facts, anchor[0] + add, seen);
  return { pass: anchor[0] + add + Math.min(overheadMs, cap), fail: anchor[1] + add + mostMs + stalls };
}

/** The lower side of a bound: `anchor` + `seconds`, without any tolerance. */
export const lower = (of: Pick<PodCase, 'facts'>, anchor: Interval, seconds: number): Side => ({
  pass: anchor[1] + of.facts.scale.toMs(seconds),
  fail: anchor[0] + of.facts.scale.toMs(seconds),
});

export interface Comparison {
  /** The bound in symbols; the numbers are filled in here. */
  formula: string;
  /** What was measured, such as `S`. */
  name: string;
  instant: Instant;
  /** What times are told from, where that is not the delete of the Pod. */
  since?: { at: Interval; what: string };
  low?: Side;
  high?: Side;
  /** More events to show. */
  also?: ({ marks: Instant['marks'] } | undefined)[];
  note?: string;
  wouldDecide?: string;
}

/** Wholly inside the bound is a pass, wholly outside a fail, anything else inconclusive. */
export function compare(
  of: PodCase,
  { formula, name, instant, since, low, high, also = [], note, wouldDecide }: Comparison,
): Finding {
  const { facts, pod } = of;
  const origin = since?.at ?? originOf(pod, instant);
  const seen = instant.at;
  const early = low && seen[1] < low.fail;
  const late = high && seen[0] > high.fail;
  const inside = (!low || seen[0] >= low.pass) && (!high || seen[1] <= high.pass);
  const s = (at: number) => secondsFrom(facts, origin, at);
  const range = `[${low ? s(low.pass) : '-'}, ${high ? s(high.pass) : '-'}]`;
  const finding: Finding = {
    outcome: early || late ? 'fail' : inside ? 'pass' : 'inconclusive',
    formula: `${formula} = ${range}`,
    seen: `${name} in [${s(seen[0])}, ${s(seen[1])}] after ${since?.what ?? `the delete of ${pod.name}`}${early ? ', too early' : late ? ', too late' : ''}`,
    evidence: evidenceOf(pod.D, pod.K, instant, ...also),
    ...(note === undefined ? {} : { note }),
  };
  const interval = fromDelete(facts, origin, seen);
  if (interval) finding.interval = interval;
  if (finding.outcome === 'inconclusive') finding.wouldDecide = wouldDecide ?? whatWouldDecide(of, seen, low, high);
  return finding;
}

/** An interval on the harness's clock in documented seconds from the delete; undefined where it has no end. */
export function fromDelete({ scale }: Facts, origin: Interval, [lo, hi]: Interval): Interval | undefined {
  const round = (ms: number) => Math.round(scale.toSeconds(ms) * 1000) / 1000;
  const seen: Interval = [round(lo - origin[1]), round(hi - origin[0])];
  return seen.every(Number.isFinite) ? seen : undefined;
}

const originOf = (pod: PodFacts, instant: Instant): Interval => pod.D?.at ?? instant.at;

function whatWouldDecide({ facts, pod }: PodCase, seen: Interval, low?: Side, high?: Side): string {
  const from = pod.D?.at[0] ?? seen[0];
  const stalled = facts.widener.stalledBetween(from, seen[1]);
  const width = Math.round(seen[1] - seen[0]);
  const reasons = [
    stalled > 0 ? `the machine stalled for ${Math.round(stalled)} ms between the delete and this instant` : '',
    width > 2 * tolerances.arrival.value * 1000 ? `the instant is known to ${width} ms only` : '',
    low && seen[0] < low.pass && seen[1] >= low.fail ? 'it lies across the lower end' : '',
    high && seen[1] > high.pass && seen[0] <= high.fail
      ? 'it lies between the bound and the bound with all overheads'
      : '',
  ].filter(Boolean);
  return `the same instant, known better or farther from the bound (${reasons.join('; ')})`;
}

/** Delete, start of the kill and grace: what every departure has, whatever became of it. */
export function beginningOf({ pod, scale }: PodCase): { D: Instant; K: Instant; G: number } {
  const D = need(pod.D, `no delete of ${pod.name} is in the history`, 'the action, or a watch of Pods without a gap');
  const K = need(pod.K, `the kubelet's start for ${pod.name} is not in the history`, 'the Event with reason Killing');
  const G = scale.toMs(need(pod.grace, `${pod.name} has no grace`, 'a Pod with terminationGracePeriodSeconds'));
  return { D, K, G };
}

/** The instants that nearly every rule starts from. */
export function lifeOf(of: PodCase): { D: Instant; K: Instant; S: Instant; G: number } {
  const { pod } = of;
  const { D, K, G } = beginningOf(of);
  if (!pod.S) {
    const why = pod.logged ? 'has no mark of SIGTERM' : 'was not followed';
    undecided(`the log of ${pod.name} ${why}`, "the engine's own line about the signal", [
      ...D.marks,
      ...(pod.E?.marks ?? []),
    ]);
  }
  return { D, K, S: pod.S, G };
}
