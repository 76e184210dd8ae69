import { drainWindow as c } from '../requirements/drain-window.ts';
import { tolerances } from '../requirements/tolerances.ts';
import type { Interval } from '../time/interval.ts';
import { compare, lifeOf, overheadsOf, upper } from './compare.ts';
import type { Side } from './compare.ts';
import type { ReadLine } from './facts/collected.ts';
import type { Instant, PodFacts } from './facts/pod.ts';
import type { RequestFacts } from './facts/request.ts';
import { allZero, requestsOn, workOf } from './facts/work.ts';
import type { Work } from './facts/work.ts';
import type { PodCase } from './rule.ts';
import type { Finding } from './verdict.ts';

/** A departing Pod with its life, its work and the overheads of its window. */
export interface Departure {
  of: PodCase;
  D: Instant;
  K: Instant;
  S: Instant;
  /** Milliseconds. */
  G: number;
  work: Work;
  r: number;
  rMost: number;
  p: number;
  g: number;
}

/** @throws Undecided where D, K, S or G is not in the history */
export function departureOf(of: PodCase): Departure {
  const life = lifeOf(of);
  let work = works.get(of.pod);
  if (!work) works.set(of.pod, (work = workOf(of.pod, of.facts.requests, life.S.at, of.scale)));
  return { of, ...life, ...overheadsOf(of), work };
}

/** The work of each Pod, which many rules ask for. */
const works = new WeakMap<PodFacts, Work>();

/**
 * When SIGTERM is due at the earliest for work that ends at `x`: after two idle reads a second apart, the first of them
 * not before the settle time, and not later than G - 5 on account of work.
 */
function earliestSignal({ of: { scale }, G }: Departure, x: number, D: number): number {
  if (x < D + scale.toMs(c.settle)) return D + scale.toMs(c.idleHook);
  return Math.min(x + scale.toMs(c.poll), D + G - scale.toMs(c.exitReserve));
}

/** When SIGTERM is due at the earliest for work that has ended for certain: later than this no slack is needed. */
export const surelyDue = (departure: Departure): number =>
  earliestSignal(departure, departure.work.x[1], departure.D.at[1]);

/** And at the latest, without what the machine takes. */
function latestSignal({ of: { scale }, G }: Departure, x: number, K: number): number {
  if (x < K + scale.toMs(c.settle)) return K + scale.toMs(c.idleHook);
  return Math.min(x + scale.toMs(c.poll * c.idleReads), K + G - scale.toMs(c.signalReserve));
}

/** Lower side of the signal's bound: not while work runs before G - 5, whatever the hook does after it. */
export function workSide({ of: { scale }, work, D, G }: Departure): Side {
  const reserve = G - scale.toMs(c.exitReserve);
  const [lo, hi] = work.kind === 'outlasts' ? [Infinity, Infinity] : work.x;
  return { pass: Math.min(hi, D.at[1] + reserve), fail: Math.min(lo, D.at[0] + reserve) };
}

/** Lower side of the signal's bound for the work of a departure, two idle reads included. */
export function earlySide(departure: Departure): Side {
  const { work, D } = departure;
  if (work.kind === 'outlasts') return workSide(departure);
  // Both instants are arrivals with one and the same latency at most: it is granted once to the lower end.
  const granted = Number.isFinite(work.x[0]) ? tolerances.arrival.value * 1000 : 0;
  return {
    pass: earliestSignal(departure, work.x[1], D.at[1]) - granted,
    fail: earliestSignal(departure, work.x[0], D.at[0]),
  };
}

/** Upper side of the signal's bound for the work of a departure. */
export function lateSide(departure: Departure): Side {
  const { of, work, K, S, r, rMost, p, g } = departure;
  const overhead = (read: number) =>
    work.kind === 'idle' ? 2 * read + p : work.kind === 'ends' ? 3 * read + g + p : p;
  // A gauge that lags past the settle time makes the first read a busy one.
  const last = latestSignal(departure, work.x[1] + (work.kind === 'ends' ? g : 0), K.at[1]);
  const bound: Interval = [latestSignal(departure, work.x[0], K.at[0]), last];
  return upper(of, bound, 0, overhead(r), S.at, overhead(rMost));
}

/** The bound of the signal in symbols, for what the work turned out to be. */
export function signalFormula({ work }: Departure): string {
  if (work.kind === 'idle') return 'S in [D + 6, K + 6 + 2r + p]';
  if (work.kind === 'outlasts') return 'S in [D + G - 5, K + G - 3 + p]';
  return 'S in [min(x + 1, D + G - 5), min(x + 2, K + G - 3) + 3r + g + p]';
}

/** Compares the signal with the whole bound, or with one side of it. */
export function judgeSignal(
  departure: Departure,
  sides: 'both' | 'work' | 'early' | 'late' = 'both',
  formula = sides === 'work' ? 'S >= min(x, D + G - 5)' : signalFormula(departure),
): Finding {
  const { of, S, work } = departure;
  const finding = compare(of, {
    formula,
    name: 'S',
    instant: S,
    ...(sides === 'late' ? {} : { low: sides === 'work' ? workSide(departure) : earlySide(departure) }),
    ...(sides === 'both' || sides === 'late' ? { high: lateSide(departure) } : {}),
    also: [work],
  });
  const tooEarly = finding.outcome === 'fail' && finding.seen.endsWith('too early');
  if (tooEarly && bothMayBeIdle(departure)) {
    return {
      ...finding,
      outcome: 'inconclusive',
      wouldDecide:
        "work that runs across one of the hook's last two reads: what came and went between them it cannot see",
    };
  }
  const tooLate = finding.outcome === 'fail' && finding.seen.endsWith('too late');
  // Without reads of the gauges something else may have kept the replica busy.
  if (tooLate && work.kind !== 'outlasts' && !work.provenIdle) {
    return {
      ...finding,
      outcome: 'inconclusive',
      wouldDecide: 'a read of the gauges between the last work and the signal',
    };
  }
  return finding;
}

/** Whether two reads came before the signal, and no request is known to have run across either of the last two. */
function bothMayBeIdle({ of: { pod, facts, scale }, D, S }: Departure): boolean {
  // Two idle reads alone take so long.
  if (S.at[1] < D.at[0] + scale.toMs(c.idleHook)) return false;
  const last = pod.reads.filter((read) => read.at[0] >= D.at[0] && read.at[1] <= S.at[1]).slice(-c.idleReads);
  return last.length === c.idleReads && !last.some((read) => ranAcross(read, pod, requestsOn(pod, facts.requests)));
}

/** Whether a request is known to have run on the Pod for as long as one read took. */
const ranAcross = (read: ReadLine, pod: PodFacts, own: readonly RequestFacts[]): boolean =>
  own.some((q) => {
    const taken = q.received.find((line) => line.uid === pod.uid)?.at[1];
    const until = q.kind === 'silence' ? undefined : q.over?.[0];
    return taken !== undefined && taken < read.at[0] && (until === undefined || until > read.at[1]);
  });

/**
 * Whether two idle reads came before the signal: `no` where a read that saw work is less than two pauses before it,
 * `yes` where two reads came for certain after the gauges were 0, else `unclear`. Lines of the log that are missing
 * cannot turn one into the other.
 */
export function twoIdleReads(departure: Departure): 'yes' | 'no' | 'unclear' {
  const { of, S, work, g } = departure;
  const { pod, scale } = of;
  const reads = pod.reads.filter((read) => read.at[0] <= S.at[1] && read.at[1] >= departure.D.at[0]);
  if (Number.isFinite(work.x[0])) {
    const own = requestsOn(pod, of.facts.requests);
    const sawWork = reads.filter((read) => read.at[1] < work.readable && ranAcross(read, pod, own)).at(-1);
    if (sawWork && S.at[1] < sawWork.at[0] + scale.toMs(c.poll * c.idleReads)) return 'no';
  }
  const zero = pod.samples.find((s) => s.at[0] > work.x[0] && allZero(s));
  const idleFrom = Math.min(work.x[1] + g, Math.max(zero?.at[1] ?? Infinity, work.x[1]));
  const after = reads.filter((read) => read.at[0] > idleFrom);
  return after.length >= c.idleReads ? 'yes' : 'unclear';
}
