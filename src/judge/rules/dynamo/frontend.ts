import { tolerances } from '../../../requirements/tolerances.ts';
import { compare, secondsFrom, upper } from '../../compare.ts';
import { firstMark, httpTimeoutOf, marksOf, pathReads, signalledOf } from '../../facts/dynamo.ts';
import type { Instant } from '../../facts/pod.ts';
import type { PathSample } from '../../facts/collected.ts';
import type { RequestFacts } from '../../facts/request.ts';
import { demand, eachPod, evidenceOf, need } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf as requestMarks, names } from '../cut-requests.ts';
import { byStamps, instant, isRefused, notBefore, requestsGiven, reversed, signalledAgain } from './given.ts';

/** The signal of a frontend, its timeout, and what ran on it then. */
export interface Drain {
  S: Instant;
  /** Milliseconds. */
  H: number;
  open: RequestFacts[];
  /** Until when the frontend drains for certain, by its open requests and its timeout alone. */
  until: number;
}

export function drainOf(of: PodCase): Drain {
  const { facts, pod, scale } = of;
  const S = instant(signalledOf(facts, pod), `the signal of ${pod.name}`);
  const H = scale.toMs(need(httpTimeoutOf(pod), `the timeout of ${pod.name} is no number`, 'a number, or none'));
  const open = requestsGiven(of, 'open').filter((q) => q.sent && q.sent.at[1] < S.at[0] && (q.due ?? 0) > S.at[1]);
  demand(open.length > 0, `no request was open on ${pod.name} at its signal`, 'a stream that outlasts it', S.marks);
  const last = Math.max(...open.map((q) => Math.min(q.over?.[0] ?? Infinity, q.due ?? Infinity)));
  return { S, H, open, until: Math.min(last, S.at[0] + H) };
}

/** Reads that began and ended while the frontend drained, those that only took too long left out. */
function readsIn(of: PodCase, path: string, from: number, until: number): PathSample[] {
  const reads = pathReads(of.facts, of.pod, path).filter((read) => read.at[0] > from && read.at[1] < until);
  const usable = reads.filter(({ data }) => !data.error?.includes('timeout'));
  demand(usable.length >= 2, `${usable.length} reads of ${path} lie in the drain of ${of.pod.name}`, 'two at least');
  return usable;
}

const readMarks = (reads: readonly PathSample[]): Instant['marks'] =>
  reads.map((mark) => ({ mark, what: `GET ${mark.data.path}: ${mark.data.status || mark.data.error || 'no answer'}` }));

/** Milliseconds within which "on the signal" has happened. */
const settled = ({ scale }: PodCase): number => scale.toMs(tolerances.hookStarts.value);

function answersWith(of: PodCase, path: string, status: number, from: number, drain: Drain, formula: string): Finding {
  const reads = readsIn(of, path, from, drain.until);
  const other = reads.filter(({ data }) => data.status !== status);
  const seen =
    other.length > 0
      ? `${other.length} of ${reads.length} reads of ${path} of ${of.pod.name} in its drain got ${other[0]?.data.status || 'no answer'}`
      : `${reads.length} reads of ${path} of ${of.pod.name} in its drain got ${status}`;
  const evidence = evidenceOf(drain.S, { marks: readMarks(other.length > 0 ? other : reads) });
  return { outcome: other.length > 0 ? 'fail' : 'pass', formula, seen, evidence };
}

const UNHEALTHY = '/health in [signal, min(signal + H, lastBody)]: 503';
const LIVE = '/live in [signal, min(signal + H, lastBody)]: 200';
const TURNED_AWAY = 'new in [signal, min(signal + H, lastBody)]: 503';
const WHOLE = 'lastBody <= signal + H: whole';
const STOPS = 'stopping in [signal + H, signal + H + timer]';
const RUNTIME = 'runtime cancelled >= end of the drain';

/** FE-01. */
export function unhealthy(of: PodCase): Finding {
  const drain = drainOf(of);
  return answersWith(of, '/health', 503, drain.S.at[1] + settled(of), drain, UNHEALTHY);
}

/** FE-03. */
function staysLive(of: PodCase): Finding {
  const drain = drainOf(of);
  return answersWith(of, '/live', 200, drain.S.at[1], drain, LIVE);
}

/** FE-02. */
function turnsAway(of: PodCase): Finding {
  const { S, until } = drainOf(of);
  const from = S.at[1] + settled(of);
  const fresh = requestsGiven(of, 'fresh').filter(
    (q) => q.sent && q.sent.at[0] > from && q.sent.at[1] + settled(of) < until && q.kind !== undefined,
  );
  demand(fresh.length > 0, `no new request reached ${of.pod.name} in its drain`, 'one straight to it', S.marks);
  const wrong = fresh.filter((q) => q.end?.data.status !== 503);
  const evidence = evidenceOf(S, { marks: requestMarks(fresh) });
  const told = wrong.map((q) => `${q.id} got ${q.end?.data.status ?? q.kind}`).join(', ');
  return wrong.length > 0
    ? { outcome: 'fail', formula: TURNED_AWAY, seen: told, evidence }
    : { outcome: 'pass', formula: TURNED_AWAY, seen: `${names(fresh)} got 503`, evidence };
}

/** FE-04. */
export function completes(of: PodCase): Finding {
  const { S, H, open } = drainOf(of);
  const limit = S.at[0] + H - settled(of);
  const due = open.filter((q) => (q.due ?? Infinity) < limit);
  const lost = due.filter((q) => q.cut || isRefused(q));
  const evidence = evidenceOf(S, { marks: requestMarks(due) });
  if (lost.length > 0) return { outcome: 'fail', formula: WHOLE, seen: `${names(lost)} was due within H`, evidence };
  const whole = due.filter((q) => q.kind === 'complete');
  demand(whole.length > 0, `no request on ${of.pod.name} is known to be due within H`, 'one that is', S.marks);
  signalledAgain(of);
  return { outcome: 'pass', formula: WHOLE, seen: `${names(whole)} ran at the signal and ended within H`, evidence };
}

/** FE-06: by the log, by the last answer of `/health`, and by the runtime that is then cancelled. */
function stopsInTime(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const { S, H, open } = drainOf(of);
  const late = scale.toMs(tolerances.late.value);
  demand(
    open.some((q) => (q.due ?? 0) > S.at[1] + H + late),
    `no request on ${pod.name} outlasts H`,
    'one that does',
    S.marks,
  );
  const stopping = instant(firstMark(facts, pod, 'stopping'), `${pod.name} enter stopping`);
  // Where its bodies have ended, by a cut say, it may stop sooner: it was no timeout that ended its drain.
  instant(firstMark(facts, pod, 'http-timed-out'), `${pod.name} run into its timeout`);
  const h = scale.toSeconds(H);
  const overhead = scale.toMs(tolerances.timer.value) + tolerances.kubeletBegins.value * 1000;
  // Its first line comes with the signal; both lines are the frontend's own.
  const draining = firstMark(facts, pod, 'draining');
  const { from, to } = draining ? byStamps(draining, stopping) : { from: S.at, to: stopping };
  const anchor = to === stopping ? S.at : from;
  const found = compare(of, {
    formula: `${STOPS}, H = ${h} s`,
    name: 'stopping',
    instant: to,
    low: notBefore(of, anchor, h),
    high: upper(of, anchor, h, overhead, to.at, late),
    also: [S],
  });
  if (found.outcome !== 'pass') return found;
  const answered = pathReads(facts, pod, '/health').filter(({ data }) => data.status > 0);
  const drains = (read: PathSample) => read.data.status === 200 || read.data.body?.includes('"draining"');
  const still = answered.filter((read) => read.at[0] > stopping.at[1] + late && drains(read));
  if (still.length > 0)
    return {
      ...found,
      outcome: 'fail',
      seen: `${pod.name} still drains ${secondsFrom(facts, S.at, still[0]?.at[0] ?? 0)} after its signal`,
    };
  const near = answered.filter((read) => read.at[0] > S.at[0] + H - late && drains(read));
  demand(near.length > 0, `no read tells that ${pod.name} drains until H`, 'reads of /health up to the end');
  const runtimes = marksOf(facts, pod, 'runtime');
  const cancelled = runtimes.filter((mark) => !reversed(stopping, mark) && mark.at[0] < stopping.at[1] + late);
  const sooner = runtimes.find((mark) => reversed(stopping, mark));
  const flowsOn = open.filter((q) => q.kind === 'complete' && q.over && q.over[0] > stopping.at[1] + late);
  if (cancelled.length === 0 && sooner && flowsOn.length > 0)
    return {
      ...found,
      outcome: 'fail',
      seen: `${found.seen}; its runtime was cancelled ${secondsFrom(facts, S.at, sooner.at[0])} after its signal and not then, and ${names(flowsOn)} flowed on`,
      evidence: evidenceOf(S, sooner, stopping, { marks: requestMarks(flowsOn) }),
    };
  demand(cancelled.length > 0, `the log of ${pod.name} does not say that the runtime is cancelled`, 'its own line');
  return found;
}

/** FE-07: the runtime is cancelled after the drain, and a stream that needs it flows on until then. */
function runtimeLast(of: PodCase): Finding {
  const { facts, pod } = of;
  const { S, open } = drainOf(of);
  const stopping = instant(firstMark(facts, pod, 'stopping'), `${pod.name} enter stopping`);
  const runtime = instant(firstMark(facts, pod, 'runtime'), `${pod.name} cancel its runtime`);
  const seen = `runtime cancelled ${secondsFrom(facts, S.at, runtime.at[0])}, stopping ${secondsFrom(facts, S.at, stopping.at[0])} after the signal`;
  const evidence = evidenceOf(S, runtime, stopping, { marks: requestMarks(open) });
  if (reversed(stopping, runtime)) return { outcome: 'fail', formula: RUNTIME, seen, evidence };
  const flowed = open.filter((q) => q.kind === 'complete' && q.over && q.over[0] > S.at[1] + settled(of));
  demand(flowed.length > 0, `no stream on ${pod.name} is known to flow on in its drain`, 'one that ends whole in it');
  return { outcome: 'pass', formula: RUNTIME, seen: `${seen}; ${names(flowed)} flowed on`, evidence };
}

/** The HTTP drain of a frontend. */
export const dynamoFrontend: Record<string, Rule> = {
  'DY-FE-01': eachPod(UNHEALTHY, unhealthy),
  'DY-FE-02': eachPod(TURNED_AWAY, turnsAway),
  'DY-FE-03': eachPod(LIVE, staysLive),
  'DY-FE-04': eachPod(WHOLE, completes),
  'DY-FE-06': eachPod(STOPS, stopsInTime),
  'DY-FE-07': eachPod(RUNTIME, runtimeLast),
};
