import { tolerances } from '../../../requirements/tolerances.ts';
import { compare, secondsFrom, upper } from '../../compare.ts';
import { discoveredOf, firstMark, graceOf, leftBehind, signalledOf } from '../../facts/dynamo.ts';
import type { Instant } from '../../facts/pod.ts';
import type { RequestFacts } from '../../facts/request.ts';
import { demand, eachPod, evidenceOf, need, undecided } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf as requestMarks, names } from '../cut-requests.ts';
import {
  byStamps,
  instant,
  isRefused,
  notBefore,
  requestsGiven,
  reversed,
  signalledAgain,
  STAMPS_MS,
} from './given.ts';

/** What a worker's way out is measured by, from its log and from its record in discovery. */
export function wayOut(of: PodCase): { S: Instant; gone: Instant; runtime: Instant; P: number } {
  const { facts, pod } = of;
  const P = need(graceOf(pod), `the grace period of ${pod.name} is no number`, 'a number, or none');
  const S = instant(signalledOf(facts, pod), `the signal of ${pod.name}`);
  mayLeave(of);
  const gone = instant(discoveredOf(facts, pod).gone, `the endpoint of ${pod.name} leave discovery`);
  remainsUntil(of, gone, Math.min(S.at[0], pod.D?.at[0] ?? Infinity));
  return {
    S,
    gone,
    runtime: instant(firstMark(facts, pod, 'runtime'), `${pod.name} begin runtime.shutdown()`),
    P,
  };
}

/** Ends the rule where the worker tried to leave discovery and says that this refused: its record stays, and not by its doing. */
function mayLeave({ facts, pod }: PodCase): void {
  const refused = firstMark(facts, pod, 'not-unregistered');
  if (!refused) return;
  const why = String(refused.fields['error'] ?? refused.fields['message']).slice(0, LONGEST);
  undecided(`discovery refuses to let ${pod.name} leave: ${why}`, 'one that takes what it is told', refused.marks);
}

/** Characters of an error that are told. */
const LONGEST = 300;

/** Ends the rule where the record was emptied or removed while nobody had told the worker to go: frontends turn from it then. */
export function remainsUntil({ facts, pod }: PodCase, gone: Instant, told: number): void {
  if (gone.at[1] + STAMPS_MS >= told) return;
  const seen = `the endpoint of ${pod.name} left discovery ${secondsFrom(facts, gone.at, told)} before its signal`;
  undecided(seen, 'a record that nobody touches until then', gone.marks);
}

/** A request that ended whole after `from`, the latest. */
export function lastWhole(
  requests: readonly RequestFacts[],
  from: Instant,
): { q: RequestFacts; over: Instant } | undefined {
  let last: { q: RequestFacts; over: Instant } | undefined;
  for (const q of requests) {
    if (q.kind !== 'complete' || !q.over || !q.end || q.over[0] <= from.at[1]) continue;
    if (last && last.over.at[1] >= q.over[1]) continue;
    last = { q, over: { at: q.over, marks: [{ mark: q.end, what: `${q.id} ends whole` }] } };
  }
  return last;
}

const ORDER =
  'signal logged, unregistered, grace begins, runtime.shutdown(), requests end, clean-up, exit: in this order';

/** SQ-01: log marks, the discovery record, the end of a request and of the process, in the documented order. */
export function inOrder(of: PodCase): Finding {
  const { facts, pod } = of;
  const { gone, runtime, P } = wayOut(of);
  const mark = (name: 'signal' | 'grace' | 'cleanup', what: string) => instant(firstMark(facts, pod, name), what);
  const cleanup = mark('cleanup', `${pod.name} clean up`);
  const steps: [string, Instant][] = [
    ['the signal is logged', mark('signal', `${pod.name} log the signal`)],
    ['the endpoint leaves discovery', gone],
    ...(P > 0 ? [['the grace begins', mark('grace', `${pod.name} begin its grace`)] as [string, Instant]] : []),
    ['runtime.shutdown()', runtime],
    ['the clean-up', cleanup],
    ['the exit', instant(pod.E, `the end of ${pod.name}`)],
  ];
  const evidence = evidenceOf(...steps.map(([, at]) => at));
  for (const [i, [earlier, a]] of steps.entries()) {
    for (const [later, b] of steps.slice(i + 1)) {
      if (reversed(a, b)) {
        const s = (at: Instant) => secondsFrom(facts, runtime.at, at.at[0]);
        return {
          outcome: 'fail',
          formula: ORDER,
          seen: `${later} (${s(b)} from runtime.shutdown()) comes before: ${earlier} (${s(a)})`,
          evidence,
        };
      }
    }
  }
  demand(
    gone.at[1] < runtime.at[1],
    'when the endpoint left discovery is not known well enough',
    'a watch without a gap',
  );
  const waited = waitedFor(of, runtime, cleanup);
  if (waited.outcome === 'fail') return { ...waited, formula: ORDER };
  return {
    outcome: 'pass',
    formula: ORDER,
    seen: `${steps.map(([name]) => name).join(', ')}; ${waited.seen}`,
    evidence,
  };
}

/** Whether the clean-up waited for a request that ran on after `runtime.shutdown()` and ended whole. */
function waitedFor(of: PodCase, runtime: Instant, cleanup: Instant): Finding {
  const { scale, pod } = of;
  const formula = 'lastRequest <= cleanup';
  const last = lastWhole(requestsGiven(of, 'open'), runtime);
  const { q, over } = need(
    last,
    `no request on ${pod.name} is known to end whole after runtime.shutdown()`,
    'one that outlasts the grace',
  );
  // The client hears of the end over a frontend, later than the worker does.
  const early = cleanup.at[1] + scale.toMs(tolerances.overheadCap.value) < over.at[0];
  return {
    outcome: early ? 'fail' : 'pass',
    formula,
    seen: early ? `${pod.name} cleans up while ${q.id} still runs` : `${q.id} ends before the clean-up`,
    evidence: evidenceOf(runtime, over, cleanup),
  };
}

/** CL-05: clean-up runs after the endpoints have drained. */
function cleansUpLast(of: PodCase): Finding {
  const { facts, pod } = of;
  const cleanup = instant(firstMark(facts, pod, 'cleanup'), `${pod.name} clean up`);
  return waitedFor(of, instant(firstMark(facts, pod, 'runtime'), `${pod.name} begin runtime.shutdown()`), cleanup);
}

const NOTHING = 'after the exit: no endpoint and no model card in discovery, no listener';

/** CL-04, as far as a cluster shows it: the record that the garbage collector removes is empty, and nobody answers any more. */
function leavesNothing(of: PodCase): Finding {
  const { facts, pod } = of;
  const E = instant(pod.E, `the end of ${pod.name}`);
  const left = need(leftBehind(facts, pod), `nobody saw the record of ${pod.name} removed`, 'a watch up to it');
  const own = left.removal.at[1] >= E.at[0];
  demand(own, `the record of ${pod.name} was removed while it ran`, 'one that goes with its Pod', left.removal.marks);
  const after = pod.samples.filter(({ at }) => at[0] > E.at[1]);
  const answers = after.filter(({ data }) => data.status > 0).length;
  const found = (outcome: Finding['outcome'], seen: string): Finding => ({
    outcome,
    formula: NOTHING,
    seen,
    evidence: evidenceOf(E, left.removal),
  });
  if (left.keys.length > 0) mayLeave(of);
  if (left.keys.length > 0) return found('fail', `${left.keys.join(', ')} was left in discovery`);
  if (answers > 0) return found('fail', `${answers} reads were answered after the exit`);
  demand(after.length > 0, `no read of ${pod.name} was tried after its exit`, 'one before the window ends');
  return found('pass', `an empty record; ${after.length} reads got no answer`);
}

const FIRST = 'gone in [signal, signal + unregister]; gone <= graceBegins';

/** SQ-02: the record in discovery loses every endpoint at the signal, before the grace begins. */
export function leavesFirst(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const { S, gone, runtime } = wayOut(of);
  const grace = firstMark(facts, pod, 'grace') ?? runtime;
  // The line is written as the signal arrives; a command that sends one takes its time to start.
  const signal = firstMark(facts, pod, 'signal') ?? S;
  const { unregister, arrival, kubeletBegins, late } = tolerances;
  const overhead = (unregister.value + arrival.value + kubeletBegins.value) * 1000;
  const found = compare(of, {
    formula: FIRST,
    name: 'gone',
    instant: gone,
    high: upper(of, signal.at, 0, overhead, gone.at, scale.toMs(late.value)),
    also: [S, grace],
  });
  return reversed(gone, grace)
    ? { ...found, outcome: 'fail', seen: `${found.seen}, after the grace had begun` }
    : found;
}

const WAIT = 'refused in [unregistered + P, unregistered + P + timer]';

/** SQ-03: `runtime.shutdown()` begins P after the unregister, and requests are refused from then on, not sooner. */
function waitsGrace(of: PodCase): Finding {
  const { scale, pod } = of;
  const { S, gone, runtime, P } = wayOut(of);
  const p = scale.toMs(P);
  const begun = firstMark(of.facts, pod, 'grace') ?? S;
  demand(
    !reversed(gone, begun),
    `the endpoint of ${pod.name} leaves discovery when its grace has begun`,
    'one that leaves first',
  );
  const { timer, late } = tolerances;
  const tried = [...requestsGiven(of, 'inGrace'), ...requestsGiven(of, 'after')].filter((q) => q.sent);
  const inside = tried.filter((q) => q.sent && q.sent.at[0] > gone.at[1] && q.sent.at[1] < gone.at[0] + p);
  const soon = inside.filter(isRefused);
  if (soon.length > 0) {
    const seen = `${names(soon)} was refused before the ${P} s were over`;
    return { outcome: 'fail', formula: WAIT, seen, evidence: evidenceOf(gone, runtime, { marks: requestMarks(soon) }) };
  }
  // The line about the grace follows the unregister at once; both lines are the worker's own.
  const { from, to } = byStamps(begun, runtime);
  const anchor = to === runtime ? gone.at : from;
  const found = compare(of, {
    formula: `${WAIT}, P = ${P} s`,
    name: 'runtime.shutdown()',
    instant: to,
    low: notBefore(of, anchor, P),
    high: upper(of, anchor, P, scale.toMs(timer.value) + 2 * STAMPS_MS, to.at, scale.toMs(late.value)),
    also: [gone, { marks: requestMarks(tried) }],
  });
  if (found.outcome !== 'pass') return found;
  demand(
    inside.some((q) => q.kind === 'complete') &&
      tried.some((q) => isRefused(q) && (q.sent?.at[0] ?? 0) > runtime.at[0]),
    `no request tells when ${pod.name} begins to refuse`,
    'one that is served in the grace and one that is refused after it',
  );
  signalledAgain(of);
  return found;
}

/** The order of a worker's shutdown. */
export const dynamoOrder: Record<string, Rule> = {
  'DY-SQ-01': eachPod(ORDER, inOrder),
  'DY-SQ-02': eachPod(FIRST, leavesFirst),
  'DY-SQ-03': eachPod(WAIT, waitsGrace),
  'DY-CL-04': eachPod(NOTHING, leavesNothing),
  'DY-CL-05': eachPod('lastRequest <= cleanup', cleansUpLast),
};
