import { drainWindow as c } from '../../requirements/drain-window.ts';
import { splitSglang as s } from '../../requirements/split-sglang.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import { compare, fromDelete, secondsFrom, stallsPast, killWithin } from '../compare.ts';
import type { End } from '../facts/pod.ts';
import { standingAt } from '../facts/request.ts';
import type { RequestFacts } from '../facts/request.ts';
import { requestsOn } from '../facts/work.ts';
import { demand, eachPod, evidenceOf } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import { departureOf } from '../signal.ts';
import type { Departure } from '../signal.ts';
import type { Finding } from '../verdict.ts';
import { marksOf, names, unattributed } from './cut-requests.ts';
import { endOf } from './exit-timing.ts';
import { requireIdle } from './hook-timing.ts';

const wallMs = (t: { value: number }) => t.value * 1000;

/** A split SGLang replica with its end. */
interface SplitExit extends Departure {
  E: End;
  /** Milliseconds by which the end may be seen later than it was. */
  seeing: number;
}

/** @throws Undecided where it is no split SGLang, or its signal or end is not in the history */
function splitExit(of: PodCase): SplitExit {
  const { pod } = of;
  demand(
    pod.mode !== 'unified',
    `main of ${pod.name} is no half of a split SGLang pair`,
    'an SGLang prefill or decode replica',
  );
  const departure = departureOf(of);
  const seeing = wallMs(tolerances.statusDelay) + wallMs(tolerances.arrival);
  return { ...departure, E: endOf(of), seeing };
}

/**
 * Whether the end came before the kubelet's kill at G for certain, or for certain with it: it lived up to then, which no
 * stall explains, since its exit was due long before.
 */
export function byItself({ of, S, K, G, E }: Pick<SplitExit, 'of' | 'S' | 'K' | 'G' | 'E'>): 'yes' | 'no' | 'unclear' {
  const { scale, facts } = of;
  const limit = G - scale.toMs(1);
  if (E.at[1] < K.at[0] + limit) return 'yes';
  const exit = scale.toMs(s.slowestExit + tolerances.about.value);
  const due = S.at[1] + exit + facts.widener.stalledBetween(S.at[0], E.at[1]);
  return E.at[0] > Math.max(K.at[1] + limit, due) ? 'no' : 'unclear';
}

/** DW-16: an idle split replica exits between 15 s and about 22 s after SIGTERM. Measured: faster is no fail. */
function measuredExit(of: PodCase): Finding {
  const exit = splitExit(of);
  requireIdle(exit);
  const { S, E, seeing } = exit;
  const { scale, facts } = of;
  const most = scale.toMs(s.slowestExit + tolerances.about.value);
  const finding = compare(of, {
    formula: 'E - S in [15, 22 + about]',
    name: 'E',
    instant: E,
    high: { pass: S.at[0] + most + seeing, fail: S.at[1] + most + stallsPast(facts, S.at[1] + most, E.at) },
    also: [S],
  });
  if (finding.outcome !== 'pass') return finding;
  demand(
    byItself(exit) === 'yes',
    `whether ${of.pod.name} left before the kill at G cannot be told`,
    'a grace that leaves it the time',
    E.marks,
  );
  const seconds = [scale.toSeconds(E.at[0] - S.at[1]), scale.toSeconds(E.at[1] - S.at[0])] as const;
  const seen = `${finding.seen}; ${seconds.map((n) => n.toFixed(1)).join(' to ')} s after the signal`;
  if (seconds[1] >= s.schedulerWait) return { ...finding, seen };
  return { ...finding, seen, note: `it leaves faster than the ${s.schedulerWait} s that were measured` };
}

/** DW-34: not earlier than 15 s after SIGTERM. */
function fixedWait(of: PodCase): Finding {
  const exit = splitExit(of);
  requireIdle(exit);
  const { S, E } = exit;
  const wait = of.scale.toMs(s.schedulerWait);
  demand(
    byItself(exit) === 'yes',
    `${of.pod.name} may have been killed at G`,
    'a grace that leaves it the time',
    E.marks,
  );
  return compare(of, {
    formula: 'E - S >= 15',
    name: 'E',
    instant: E,
    low: { pass: S.at[1] + wait, fail: S.at[0] + wait },
    also: [S],
  });
}

/** DW-17: with G = 45 an idle split replica leaves by itself. */
function cleanExit(of: PodCase): Finding {
  const { pod, scale, facts } = of;
  demand(pod.grace === s.splitGrace, `${pod.name} has a grace of ${pod.grace} s`, `a grace of ${s.splitGrace} s`);
  const exit = splitExit(of);
  requireIdle(exit);
  const { S, E, K, G, D } = exit;
  demand(
    S.at[1] <= K.at[0] + G - scale.toMs(s.exitSeconds),
    `SIGTERM comes to ${pod.name} later than G - ${s.exitSeconds}`,
    'an idle replica, whose hook returns early',
    S.marks,
  );
  const left = byItself(exit);
  const seen = `E in [${secondsFrom(facts, D.at, E.at[0])}, ${secondsFrom(facts, D.at, E.at[1])}] after the delete of ${pod.name}`;
  const interval = fromDelete(facts, D.at, E.at);
  return {
    outcome: left === 'yes' ? 'pass' : left === 'no' ? 'fail' : 'inconclusive',
    formula: `G = ${s.splitGrace} and S <= K + G - ${s.exitSeconds}: E < K + G`,
    seen: left === 'no' ? `${seen}: it is there up to the kill at G` : seen,
    evidence: evidenceOf(D, K, S, E),
    ...(interval ? { interval } : {}),
    ...(left === 'unclear' ? { wouldDecide: 'an end that is known better, or farther from G' } : {}),
  };
}

/** The replica was killed at G: it lived up to then, and SGLang cannot have left by itself so soon after its signal. */
function requireKilled(exit: SplitExit): void {
  const { of, S, K, G, E } = exit;
  const { scale, pod } = of;
  demand(
    S.at[0] > K.at[1] + G - scale.toMs(s.schedulerWait),
    `SIGTERM comes to ${pod.name} earlier than G - ${s.schedulerWait}: it may leave by itself`,
    'work that keeps the hook until later',
    S.marks,
  );
  const due = K.at[0] + G;
  demand(
    E.at[1] >= due && E.at[0] >= due - wallMs(tolerances.alive),
    `main of ${pod.name} is not known to live up to the kill at G`,
    'gauges that are read up to the end',
    E.marks,
  );
}

/** Requests on a replica that were cut before the kill at G could have done it. */
export function cutBefore(of: PodCase, requests: readonly RequestFacts[], kill: number, since: number): RequestFacts[] {
  return requests.filter((q) => q.cut && q.over && q.over[1] < kill && q.over[0] > since && of.pod.D !== undefined);
}

/** DW-37: the kill at G = 30 of a split replica whose work has ended loses no request. */
function killLosesNothing(of: PodCase): Finding {
  const exit = splitExit(of);
  const { pod, facts, scale } = of;
  const { S, D, E, work } = exit;
  const own = requestsOn(pod, facts.requests).filter((q) => q.over === undefined || q.over[1] > D.at[0]);
  const formula = 'E in [K + G, K + G + kill], and no request is cut';
  const lost = own.filter((q) => q.cut && q.over && q.over[0] > D.at[1] && (q.sent?.at[1] ?? Infinity) < S.at[0]);
  if (lost.length > 0) {
    const seen = `${names(lost)} on ${pod.name}`;
    return { outcome: 'fail', formula, seen, evidence: evidenceOf({ marks: marksOf(lost) }, S, E) };
  }
  requireKilled(exit);
  const open = own.filter((q) => standingAt(q, S.at, scale) !== 'ended-before' || q.kind !== 'complete');
  demand(
    open.length === 0,
    `${names(open)} may have run past the signal, or has no end`,
    'the end of every request on the victim',
    marksOf(open),
  );
  const whole = own.filter((q) => q.over && q.over[0] > D.at[1] + scale.toMs(c.settle));
  demand(
    whole.length > 0,
    `no request on ${pod.name} is known to end after D + 5`,
    'a request that ends in the window',
    work.marks,
  );
  return {
    outcome: 'pass',
    formula,
    seen: `${whole.length} requests end in the window, all whole; main of ${pod.name} is there up to ${secondsFrom(facts, D.at, E.at[0])}`,
    evidence: evidenceOf({ marks: marksOf(whole) }, S, E),
  };
}

/** LM-06: a split replica whose signal comes late is killed at G, one whose signal comes early is not; no request pays. */
function killedWhenLate(of: PodCase): Finding {
  const exit = splitExit(of);
  const { pod, facts, scale } = of;
  const { S, K, G, E, D, seeing } = exit;
  const formula = 'S > K + G - 15: E in [K + G, K + G + kill]; S < K + G - 22: E < K + G; nothing is cut before K + G';
  const own = requestsOn(pod, facts.requests);
  const early = cutBefore(of, own, K.at[0] + G, D.at[1]);
  const finding = (outcome: Finding['outcome'], seen: string, note?: string): Finding => ({
    outcome,
    formula,
    seen,
    evidence: evidenceOf({ marks: marksOf(early) }, S, E, K),
    ...(note === undefined ? {} : { note }),
  });
  if (early.length > 0) return finding('fail', `${names(early)} cut before the kill at G`);
  const kept = K.at[0] + G - wallMs(tolerances.arrival);
  const undated = own.filter((q) => q.cut && q.over && q.over[1] > D.at[1] && q.over[0] < kept);
  const untold = [...own.filter((q) => q.kind === undefined), ...undated, ...unattributed(facts)];
  demand(
    untold.length === 0,
    `whether ${names(untold)} was cut on ${pod.name} before the kill is not told`,
    'the end of every request, and the log of every replica',
  );
  const left = byItself(exit);
  const at = `SIGTERM ${secondsFrom(facts, D.at, S.at[0])}, end ${secondsFrom(facts, D.at, E.at[1])} after the delete of ${pod.name}, G = ${pod.grace} s`;
  const late = S.at[0] > K.at[1] + G - scale.toMs(s.schedulerWait);
  const soon = S.at[1] < K.at[0] + G - scale.toMs(s.slowestExit);
  demand(
    late || soon,
    `${at}: between G - ${s.slowestExit} and G - ${s.schedulerWait} both ends are right`,
    'a signal outside of that time',
    S.marks,
  );
  demand(
    left !== 'unclear' || late,
    `${at}: whether it left before the kill cannot be told`,
    'an end that is known better',
  );
  if (soon) return left === 'yes' ? finding('pass', `${at}: it left by itself`) : finding('fail', `${at}: killed at G`);
  const kill = killWithin(facts);
  if (E.at[0] > K.at[1] + G + kill + stallsPast(facts, K.at[0] + G, E.at))
    return finding('fail', `${at}: later than the kill`);
  if (left === 'yes')
    return finding('pass', `${at}: it left by itself`, 'less than the document admits: no kill was needed');
  demand(
    E.at[1] <= K.at[0] + G + kill + seeing,
    `${at}: how soon after G it ended cannot be told`,
    'an end that is known better',
  );
  return finding('pass', `${at}: killed at G`);
}

/** How SGLang's split replicas end. */
export const engineExit: Record<string, Rule> = {
  'GS-DW-16': eachPod('E - S in [15, 22 + about]', measuredExit),
  'GS-DW-17': eachPod('G = 45 and S <= K + G - 20: E < K + G', cleanExit),
  'GS-DW-34': eachPod('E - S >= 15', fixedWait),
  'GS-DW-37': eachPod('E in [K + G, K + G + kill], and no request is cut', killLosesNothing),
  'GS-LM-06': eachPod('killed at G where S > K + G - 15', killedWhenLate),
};
