import { tolerances } from '../../../requirements/tolerances.ts';
import { compare, upper, type Comparison } from '../../compare.ts';
import { discoveredOf, fieldsOf, firstMark, marksOf, runtimeTimeoutOf, selects } from '../../facts/dynamo.ts';
import type { Instant } from '../../facts/pod.ts';
import type { RequestFacts } from '../../facts/request.ts';
import { demand, eachPod, evidenceOf, given, need } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf as requestMarks, names } from '../cut-requests.ts';
import { dynamoFacts } from '../../../engines/dynamo/facts.ts';
import { byStamps, hangs, instant, isRefused, notBefore, requestsGiven, signalledAgain, STAMPS_MS } from './given.ts';
import { lastWhole, wayOut } from './order.ts';

const found = (outcome: Finding['outcome'], formula: string, seen: string, evidence: Finding['evidence']): Finding => ({
  outcome,
  formula,
  seen,
  evidence,
});

const SERVED = 'sent in [unregistered, unregistered + P]: served';

/** SQ-04: what reaches the leaving worker over a router that has not heard yet is served in the grace. */
function servesInGrace(of: PodCase): Finding {
  const { scale, pod } = of;
  const { gone, runtime, P } = wayOut(of);
  const until = gone.at[0] + scale.toMs(P);
  const sent = requestsGiven(of, 'inGrace').filter(
    (q) => q.sent && q.sent.at[0] > gone.at[1] && q.sent.at[1] < Math.min(until, runtime.at[0]),
  );
  const evidence = evidenceOf(gone, runtime, { marks: requestMarks(sent) });
  // One that is cut once runtime.shutdown() has begun was served in the grace: who waits for it then is ED-01.
  const early = (q: RequestFacts) => q.cut && q.over && q.over[1] < runtime.at[0];
  const lost = sent.filter((q) => isRefused(q) || early(q) || hangs(q));
  if (lost.length > 0) return found('fail', SERVED, `${names(lost)} was sent to ${pod.name} in its grace`, evidence);
  const whole = sent.filter((q) => q.kind === 'complete');
  demand(whole.length > 0, `no request reached ${pod.name} in its grace`, 'one over a stale route');
  return found('pass', SERVED, `${names(whole)} was sent to ${pod.name} in its grace`, evidence);
}

const REFUSED = 'sent after runtime.shutdown(): refused, at once';

/** SQ-05: once `runtime.shutdown()` has begun the endpoint takes nothing new, and says so. */
function refusesAfter(of: PodCase): Finding {
  const { scale, pod } = of;
  const runtime = instant(firstMark(of.facts, pod, 'runtime'), `${pod.name} begin runtime.shutdown()`);
  const E = instant(pod.E, `the end of ${pod.name}`);
  // While a request still runs the process is there to refuse: after it nobody listens.
  const alive = lastWhole(requestsGiven(of, 'open'), runtime)?.over.at[0] ?? E.at[0];
  const sent = requestsGiven(of, 'after').filter((q) => q.sent && q.sent.at[0] > runtime.at[1] && q.sent.at[1] < alive);
  const evidence = evidenceOf(runtime, E, { marks: requestMarks(sent) });
  const served = sent.filter((q) => q.kind === 'complete' || (q.end?.data.tokens ?? 0) > 0);
  if (served.length > 0)
    return found('fail', REFUSED, `${names(served)} came after runtime.shutdown() and was served`, evidence);
  const slow = (q: RequestFacts) => q.sent && q.end && q.end.at[0] - q.sent.at[1] > scale.toMs(tolerances.late.value);
  const hung = sent.filter((q) => hangs(q) || slow(q));
  if (hung.length > 0) return found('fail', REFUSED, `${names(hung)} was left hanging`, evidence);
  const refused = sent.filter(isRefused);
  demand(
    refused.length > 0,
    `no request reached ${pod.name} after runtime.shutdown()`,
    'one over a stale route, while a request still runs',
  );
  return found('pass', REFUSED, `${names(refused)} came after runtime.shutdown()`, evidence);
}

const ROUTED = 'after the unregister no frontend selects the instance';

/** SQ-07: no frontend that follows discovery chooses the instance once its record is empty. `given.stale`: those that do not. */
export function notRouted(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const { gone } = wayOut(of);
  const instance = need(discoveredOf(facts, pod).instance, `the instance of ${pod.name} is not known`, 'its record');
  const stale = given.text(of.given, 'stale');
  const type = dynamoFacts.labels.type;
  const frontends = facts.pods.filter(
    (p) =>
      p.deployment === pod.deployment &&
      p.role !== stale &&
      p.newest.metadata.labels?.[type] === 'frontend' &&
      p.logged,
  );
  const learnt = gone.at[1] + scale.toMs(tolerances.routerLearns.value);
  const selected = frontends.flatMap((p) => marksOf(facts, p, 'selected'));
  const chosen = selected.filter((mark) => mark.at[0] > learnt && selects(mark, instance));
  const others = selected.filter((mark) => !selects(mark, instance));
  const late = requestsGiven(of, 'rerouted').filter((q) => q.sent && q.sent.at[0] > learnt && q.end);
  const evidence = evidenceOf(gone, ...chosen, { marks: requestMarks(late) });
  if (chosen.length > 0)
    return found('fail', ROUTED, `a frontend selects ${pod.name} after its endpoint had left discovery`, evidence);
  demand(
    frontends.length > 0 && late.length > 0,
    `no request came to a frontend after the endpoint of ${pod.name} had left discovery`,
    'one over a frontend whose log is followed',
  );
  // In its grace the worker would have served it: who is turned away then was not sent there.
  const elsewhere = (q: RequestFacts) =>
    isRefused(q) || others.some(({ at }) => q.sent && q.end && at[1] > q.sent.at[0] && at[0] < q.end.at[1]);
  const open = late.filter((q) => !elsewhere(q));
  demand(open.length === 0, `it is not known where ${names(open)} went`, "the frontend's own line");
  return found('pass', ROUTED, `${names(late)} was not given to ${pod.name}`, evidence);
}

const DRAINS = 'running at runtime.shutdown() and due before + T: whole';

/** ED-01 and MG-04: the endpoint waits for every request that runs when it is invalidated. */
export function waitsForAll(of: PodCase): Finding {
  const { pod, scale } = of;
  const { runtime } = wayOut(of);
  const T = need(runtimeTimeoutOf(pod), `the timeout of ${pod.name} is no number`, 'a number, or none');
  const limit = runtime.at[0] + scale.toMs(T) - scale.toMs(tolerances.late.value);
  const ran = requestsGiven(of, 'open').filter(
    (q) => q.sent && q.sent.at[1] < runtime.at[0] && (q.due ?? Infinity) < limit && (q.due ?? 0) > runtime.at[1],
  );
  const evidence = evidenceOf(runtime, pod.E, { marks: requestMarks(ran) });
  const lost = ran.filter((q) => q.cut || isRefused(q));
  if (lost.length > 0)
    return found('fail', DRAINS, `${names(lost)} ran at runtime.shutdown() of ${pod.name}`, evidence);
  const whole = ran.filter((q) => q.kind === 'complete' && q.over && q.over[1] > runtime.at[0]);
  demand(
    whole.length > 0,
    `no request is known to run at runtime.shutdown() of ${pod.name}`,
    'one that outlasts the grace',
  );
  signalledAgain(of);
  return found('pass', DRAINS, `${names(whole)} ran at runtime.shutdown() of ${pod.name}`, evidence);
}

const BOUND = 'teardown in [signal + P + T, signal + P + T + timer]';

/** When the wait of `runtime.shutdown()` ended, against its bound. */
function endsAtBound(
  of: PodCase,
  runtime: Instant,
  teardown: Instant,
  T: number,
  also: Comparison['also'] = [],
): Finding {
  const { scale } = of;
  const { from, to } = byStamps(runtime, teardown);
  const overhead = scale.toMs(tolerances.timer.value) + 2 * STAMPS_MS;
  return compare(of, {
    formula: `${BOUND}, T = ${T} s`,
    name: 'teardown',
    instant: to,
    low: notBefore(of, from, T),
    high: upper(of, from, T, overhead, to.at, scale.toMs(tolerances.late.value)),
    also: [runtime, ...also],
  });
}

/** SQ-08: where two endpoints are given up, the bound was that of both. */
function boundsTogether(of: PodCase): Finding {
  const { facts, pod } = of;
  const { runtime } = wayOut(of);
  const T = need(runtimeTimeoutOf(pod), `the timeout of ${pod.name} is no number`, 'a number, or none');
  const given = marksOf(facts, pod, 'ingress-timed-out');
  const endpoints = new Set(
    given.flatMap(({ fields }) => (Number(fields['remaining']) > 0 ? [fields['endpoint_name']] : [])),
  );
  const teardown = instant(firstMark(facts, pod, 'teardown'), `${pod.name} tear its runtime down`);
  const names = [...endpoints].map(String).join(', ');
  demand(
    endpoints.size >= 2,
    `${pod.name} gives up requests of ${names || 'no endpoint'}`,
    'requests that outlast T on two endpoints',
    teardown.marks,
  );
  const over = endsAtBound(of, runtime, teardown, T, given);
  return { ...over, seen: `${over.seen}; given up: ${names}` };
}

/** SQ-06: past T the wait ends, the number of endpoints left is logged, and what still ran is not made to look whole. */
function waitsNoLonger(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const { runtime } = wayOut(of);
  const T = need(runtimeTimeoutOf(pod), `the timeout of ${pod.name} is no number`, 'a number, or none');
  const end = runtime.at[0] + scale.toMs(T);
  const long = requestsGiven(of, 'outlasts').filter(
    (q) => q.sent && (q.due ?? 0) > end + scale.toMs(tolerances.late.value),
  );
  const short = lastWhole(requestsGiven(of, 'open'), runtime);
  const timedOut = firstMark(facts, pod, 'timed-out');
  const teardown = instant(firstMark(facts, pod, 'teardown'), `${pod.name} tear its runtime down`);
  demand(long.length > 0, `no request on ${pod.name} outlasts T`, 'one that does');
  demand(short !== undefined, `no request on ${pod.name} ends whole within T`, 'one that does');
  const over = endsAtBound(of, runtime, teardown, T, [timedOut, { marks: requestMarks(long) }]);
  if (over.outcome !== 'pass') return over;
  const early = long.filter((q) => q.over && q.over[1] < end);
  if (early.length > 0) return { ...over, outcome: 'fail', seen: `${names(early)} was given up before T was over` };
  instant(timedOut, `${pod.name} say that it waits no longer`);
  const remaining = fieldsOf(facts, pod, 'timed-out')['remaining_endpoints'];
  if (typeof remaining !== 'number')
    return { ...over, outcome: 'fail', seen: 'the line of the timeout does not say how many endpoints are left' };
  const cut = long.filter((q) => q.cut && q.over && q.over[0] < end + scale.toMs(2 * tolerances.late.value));
  demand(cut.length > 0, `what became of ${names(long)} is not known`, 'its end');
  return { ...over, seen: `${over.seen}; ${remaining} endpoints left, ${names(cut)}` };
}

/** What a leaving worker serves, refuses and waits for. */
export const dynamoServing: Record<string, Rule> = {
  'DY-SQ-04': eachPod(SERVED, servesInGrace),
  'DY-SQ-05': eachPod(REFUSED, refusesAfter),
  'DY-SQ-06': eachPod(BOUND, waitsNoLonger),
  'DY-SQ-07': eachPod(ROUTED, notRouted),
  'DY-SQ-08': eachPod(BOUND, boundsTogether),
  'DY-ED-01': eachPod(DRAINS, waitsForAll),
  'DY-MG-04': eachPod(DRAINS, waitsForAll),
};
