import { retirement as p } from '../../../requirements/retirement.ts';
import { tolerances } from '../../../requirements/tolerances.ts';
import { secondsFrom } from '../../compare.ts';
import { began, entered, roleStatus, survivorsOf } from '../../facts/operation.ts';
import type { PodFacts } from '../../facts/pod.ts';
import type { RequestFacts } from '../../facts/request.ts';
import { demand, evidenceOf, given, need } from '../../rule.ts';
import type { Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { eachOperation } from './each.ts';
import type { OperationCase } from './each.ts';

const sentAt = (q: RequestFacts): number => q.sent?.at[0] ?? Number.NaN;

/** Requests that went through a router or the Service, with the Pod that took them. */
const routedTo = (of: OperationCase, pods: readonly PodFacts[]): RequestFacts[] =>
  of.facts.requests.filter(
    (q) => !q.direct && q.sent !== undefined && q.received.some((r) => pods.some((pod) => pod.uid === r.uid)),
  );

const marksOf = (requests: readonly RequestFacts[], what: string) =>
  requests.slice(-2).flatMap((q) => q.received.map((mark) => ({ mark, what: `${q.id} ${what}` })));

/** When the target was out of selection for certain: the operation reads its members only then. */
const withdrawn = (of: OperationCase) =>
  need(
    entered(of.operation, 'Draining'),
    `the operation on ${of.operation.deployment} never came to Draining: ${of.operation.sights.at(-1)?.reason}`,
    'a router that shows that the target has left its selection',
  );

/** RP-31: before its work is read the target gets no new request, and the survivors go on serving. */
function withdrawnBeforeRead(of: OperationCase): Finding {
  const { facts, targets } = of;
  const formula = 'no request reaches the target from Draining on';
  const draining = withdrawn(of);
  const atLeast = given.number(of.given, 'atLeast') ?? 3;
  const until = Math.min(...targets.map((t) => t.D?.at[0] ?? facts.all.windowEnded?.at[0] ?? draining.at[1]));
  const reached = routedTo(of, targets).filter((q) => sentAt(q) > draining.at[1]);
  const before = routedTo(of, targets).filter((q) => sentAt(q) < began(of.operation).at[0]);
  const served = routedTo(of, survivorsOf(of.facts, of.operation)).filter((q) => sentAt(q) > draining.at[1]);
  const seen = `${before.length} requests reached the target before, ${reached.length} from Draining on, ${served.length} the survivors in that time`;
  const evidence = evidenceOf(
    draining,
    { marks: marksOf(reached, 'reaches the target') },
    { marks: marksOf(served, 'reaches a survivor') },
  );
  if (reached.length > 0) return { outcome: 'fail', formula, seen, evidence };
  demand(
    before.length >= atLeast,
    `${before.length} requests reached the target before the operation`,
    `${atLeast} at least`,
  );
  demand(
    served.length >= atLeast,
    `${served.length} requests reached a survivor from Draining on`,
    `${atLeast} at least: steady load`,
  );
  const unplaced = facts.requests.filter(
    (q) =>
      (q.planned === undefined || q.sent === undefined) &&
      q.received.some((r) => targets.some((t) => t.uid === r.uid) && r.at[1] > draining.at[0]),
  );
  demand(
    unplaced.length === 0,
    `${unplaced[0]?.id} reached the target, and when it was sent is not in the history`,
    'the ledger of every request',
  );
  const lost = facts.requests.filter(
    (q) =>
      !q.direct && q.sent !== undefined && sentAt(q) > draining.at[1] && sentAt(q) < until && q.received.length === 0,
  );
  demand(
    lost.length === 0,
    `nobody is known to have served ${lost.length} requests, such as ${lost[0]?.id}`,
    'the log of every replica',
  );
  return { outcome: 'pass', formula, seen, evidence };
}

/** The last request that the router sent to one of `pods` before `until`. */
const lastTo = (of: OperationCase, pods: readonly PodFacts[], until: number): RequestFacts | undefined =>
  routedTo(of, pods)
    .filter((q) => sentAt(q) < until)
    .reduce<RequestFacts | undefined>((a, b) => (a && sentAt(a) >= sentAt(b) ? a : b), undefined);

/** RP-07: with llm-d-router the withdrawal also waits for recent dispatches to a target. */
function waitsForDispatch(of: OperationCase): Finding {
  const { targets, scale } = of;
  const formula = `draining >= last dispatch to the target + ${p.observerFreshness}`;
  const draining = withdrawn(of);
  const last = need(
    lastTo(of, targets, draining.at[0]),
    'no request reached the target before the draining',
    'a request that the router sends to the target shortly before the operation',
  );
  const start = began(of.operation);
  const from = last.received.map((r) => r.at).reduce((a, b) => (a[1] >= b[1] ? a : b));
  demand(
    start.at[1] - sentAt(last) < scale.toMs(p.observerFreshness),
    `the last request to the target was sent long before the operation`,
    'a request within 15 s before it',
  );
  const bound = scale.toMs(p.observerFreshness);
  const seen = `${last.id} reached the target, Draining ${secondsFrom(of.facts, [sentAt(last), sentAt(last)], draining.at[1])} after it was sent`;
  const evidence = evidenceOf(start, { marks: marksOf([last], 'reaches the target') }, draining);
  // The document gives no number: half the record's life is what no implementation with one would fall below.
  if (draining.at[1] < sentAt(last) + bound / 2) return { outcome: 'fail', formula, seen, evidence };
  if (draining.at[0] >= from[0] + bound - scale.toMs(1)) return { outcome: 'pass', formula, seen, evidence };
  return {
    outcome: 'inconclusive',
    formula,
    seen,
    evidence,
    wouldDecide: `a draining that begins after ${p.observerFreshness} s, or before half of them`,
  };
}

/** RP-08: such a record does not raise the serving count. */
function notCounted(of: OperationCase): Finding {
  const { operation, targets, scale } = of;
  const formula = 'serving.value <= survivors while a dispatch is recent';
  const draining = withdrawn(of);
  const last = need(
    lastTo(of, targets, draining.at[0]),
    'no request reached the target',
    'a request to the target shortly before',
  );
  const staying = survivorsOf(of.facts, of.operation).length;
  const values = operation.sights
    .filter(
      (s) =>
        s.state === 'Disqualified' &&
        s.at[0] > sentAt(last) &&
        s.at[1] < sentAt(last) + scale.toMs(p.observerFreshness),
    )
    .flatMap((mark) => {
      const { serving, eligible } = roleStatus(mark, operation.role)?.endpoints ?? {};
      // A status from before the target left selection counts it still.
      if (typeof eligible === 'number' && eligible > staying) return [];
      return serving?.state === 'Confirmed' && serving.value !== undefined ? [{ mark, value: serving.value }] : [];
    });
  const latest = values.at(-1);
  demand(
    latest !== undefined && staying > 0,
    'no confirmed serving count was seen while the record was recent',
    'a sight of status.roles[].endpoints.serving after the target has left the selection',
  );
  const marks = values.map(({ mark, value }) => ({ mark, what: `serving ${value}: ${mark.reason}` }));
  const seen = `serving ${values.map((v) => v.value).join(', ')} with ${staying} survivors while ${last.id} was recent`;
  const evidence = evidenceOf({ marks: marksOf([last], 'reaches the target') }, { marks });
  return { outcome: latest.value > staying ? 'fail' : 'pass', formula, seen, evidence };
}

/** RP-09: a dispatch to a survivor does not hold the target. */
function survivorHoldsNot(of: OperationCase): Finding {
  const { operation, targets, scale, facts } = of;
  const formula = 'draining while the last dispatch to a survivor is recent';
  const start = began(operation);
  const draining = entered(operation, 'Draining');
  const recent = scale.toMs(p.observerFreshness);
  const end = draining?.at[0] ?? entered(operation, 'Aborted')?.at[0] ?? facts.all.windowEnded?.at[0] ?? 0;
  const other = need(
    lastTo(of, survivorsOf(of.facts, of.operation), end),
    'no request reached a survivor',
    'steady load on the survivors',
  );
  const own = lastTo(of, targets, end);
  demand(
    own === undefined || start.at[0] - sentAt(own) > recent / 2,
    'a request reached the target shortly before',
    'load on the survivors only',
  );
  demand(end - sentAt(other) < recent / 3, 'no request to a survivor was recent', 'steady load on the survivors');
  const evidence = evidenceOf(start, { marks: marksOf([other], 'reaches a survivor') }, draining);
  if (!draining) {
    const held = end - start.at[1];
    const seen = `not drained ${secondsFrom(facts, start.at, end)} after the operation began, requests to survivors only: ${operation.sights.at(-1)?.reason}`;
    if (held > recent + scale.toMs(2 * tolerances.requeue.value)) return { outcome: 'fail', formula, seen, evidence };
    return { outcome: 'inconclusive', formula, seen, evidence, wouldDecide: 'a longer window' };
  }
  const seen = `Draining ${secondsFrom(facts, start.at, draining.at[1])} after the operation began and ${secondsFrom(facts, [sentAt(other), sentAt(other)], draining.at[1])} after ${other.id} went to a survivor`;
  if (draining.at[1] - start.at[0] < recent - scale.toMs(tolerances.late.value))
    return { outcome: 'pass', formula, seen, evidence };
  if (draining.at[0] - start.at[1] > recent + scale.toMs(2 * tolerances.requeue.value))
    return { outcome: 'fail', formula, seen, evidence };
  return {
    outcome: 'inconclusive',
    formula,
    seen,
    evidence,
    wouldDecide: 'a draining that begins before a record would have expired',
  };
}

/** What routers have to do with an operation. */
export const retirementSelection: Readonly<Record<string, Rule>> = {
  'GS-RP-07': eachOperation('draining >= last dispatch to the target + 15', waitsForDispatch),
  'GS-RP-08': eachOperation('serving.value <= survivors while a dispatch is recent', notCounted),
  'GS-RP-09': eachOperation('draining while the last dispatch to a survivor is recent', survivorHoldsNot),
  'GS-RP-31': eachOperation('no request reaches the target from Draining on', withdrawnBeforeRead),
};
