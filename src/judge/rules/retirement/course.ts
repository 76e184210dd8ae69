import { drainWindow as c } from '../../../requirements/drain-window.ts';
import { tolerances } from '../../../requirements/tolerances.ts';
import { compare, lower, secondsFrom } from '../../compare.ts';
import { began, entered, operationOn, roleStatus } from '../../facts/operation.ts';
import type { Operation } from '../../facts/operation.ts';
import { versionOf } from '../../facts/objects.ts';
import type { PodFacts } from '../../facts/pod.ts';
import { requestsOn } from '../../facts/work.ts';
import type { RequestFacts } from '../../facts/request.ts';
import { demand, eachPod, evidenceOf, given, need } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf, names } from '../cut-requests.ts';
import { lastStaying } from './there.ts';

const deleteOf = (pod: PodFacts) =>
  need(pod.D, `no delete of ${pod.name} is in the history`, 'a watch of Pods without a gap');

/** Requests that the Pod worked on when its operation began, or, where there was none, when it was deleted. */
function oldWork(of: PodCase, operation: Operation | undefined): RequestFacts[] {
  const before = operation ? began(operation).at[0] : (of.pod.D?.at[0] ?? 0) - of.scale.toMs(2);
  return requestsOn(of.pod, of.facts.requests).filter((q) => q.sent !== undefined && q.sent.at[1] < before);
}

/** Whether the write that `sight` shows came before the Pod's deletionTimestamp: versions of one store tell the order. */
const writtenBefore = (operation: Operation, state: 'Draining', pod: PodFacts): boolean =>
  operation.sights.some(
    (s) => s.state === state && pod.leaving !== undefined && versionOf(s.object) < versionOf(pod.leaving.object),
  );

/** RP-01, 02, 03: withdrawn and drained before the delete, whatever the edit that removes the replica. */
function drainedBeforeDelete(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const formula = 'Draining <= delete, and delete >= x';
  const D = deleteOf(pod);
  const operation = operationOn(facts, pod);
  const work = oldWork(of, operation);
  const running = work.filter((q) => q.over !== undefined && q.over[0] > D.at[1]);
  if (running.length > 0) {
    return {
      outcome: 'fail',
      formula,
      seen: `${pod.name} deleted while ${names(running)} ran on it${operation ? '' : ', without any operation'}`,
      evidence: evidenceOf(D, { marks: marksOf(running) }),
    };
  }
  const op = need(
    operation,
    `no operation on ${pod.name} is in the history`,
    'a watch of ModelDeployments without a gap, and a stream that runs on the replica at its delete',
  );
  const start = began(op);
  demand(
    isCause(given.text(of.given, 'cause') ?? 'scale-down', op, of),
    `what removed ${pod.name} is not the asked cause`,
    'the ModelDeployment as it stood when the operation began',
    start.marks,
  );
  const draining = need(
    entered(op, 'Draining'),
    `the operation on ${pod.name} was never seen draining`,
    'a watch of ModelDeployments without a gap',
  );
  const G = need(pod.grace, `${pod.name} has no grace`, 'a Pod with terminationGracePeriodSeconds');
  const long = work.filter((q) => q.over !== undefined && q.over[0] - start.at[1] > scale.toMs(G));
  demand(
    long.length > 0,
    `no request ran on ${pod.name} for longer than its whole drain window (${G} s) after the operation began`,
    'a longer stream on the replica',
    marksOf(work),
  );
  const last = long.reduce((a, b) => ((a.over?.[1] ?? 0) >= (b.over?.[1] ?? 0) ? a : b));
  const x = last.over ?? D.at;
  const seen = `${pod.name} drains from ${secondsFrom(facts, start.at, draining.at[1])}, ${last.id} ends at ${secondsFrom(facts, start.at, x[1])}, deleted at ${secondsFrom(facts, start.at, D.at[1])} after the operation began`;
  const base = { formula, seen, evidence: evidenceOf(start, draining, { marks: marksOf([last]) }, D) };
  const ordered = draining.at[1] <= D.at[0] || writtenBefore(op, 'Draining', pod);
  if (ordered && D.at[0] >= x[1]) return { ...base, outcome: 'pass' };
  return { ...base, outcome: 'inconclusive', wouldDecide: 'the delete in a watch of Pods without a gap' };
}

function isCause(cause: string, op: Operation, { facts }: PodCase): boolean {
  const spec = op.sights[0]?.object.spec.roles.find((r) => r.name === op.role);
  if (cause === 'dropped-role') return spec === undefined;
  if (spec === undefined) return false;
  const surplus = op.before !== undefined && replicasIn(op.before, op.role) === (spec.replicas ?? 1);
  const pods = facts.pods.filter((p) => p.deployment === op.deployment && p.role === op.role);
  return cause === 'surplus' ? surplus && pods.length > (spec.replicas ?? 1) : cause === 'scale-down';
}

const replicasIn = (sight: NonNullable<Operation['before']>, role: string): number | undefined =>
  sight.object.spec.roles.find((r) => r.name === role)?.replicas ?? 1;

/** RP-34: a target that was held for work goes once it is idle, within the operation that held it. */
function goesWhenIdle(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const formula = 'delete in [x, x + q]';
  const op = need(
    operationOn(facts, pod),
    `no operation on ${pod.name} is in the history`,
    'a watch of ModelDeployments without a gap',
  );
  const draining = need(entered(op, 'Draining'), `${pod.name} was never seen draining`, 'an operation that drains it');
  const work = oldWork(of, op).filter((q) => q.over !== undefined && q.over[0] > draining.at[1]);
  demand(work.length > 0, `${pod.name} had no work that kept it`, 'a stream that runs when the draining begins');
  const last = work.reduce((a, b) => ((a.over?.[1] ?? 0) >= (b.over?.[1] ?? 0) ? a : b));
  const slack = scale.toMs(tolerances.requeue.value);
  const x = need(last.over, `the end of ${last.id} is not in the history`, 'its end');
  const staying = lastStaying(facts, pod);
  const late = x[1] + 3 * slack + facts.widener.stalledBetween(x[0], staying?.at[1] ?? x[1]);
  if (!pod.D && staying && staying.at[0] > late) {
    const seen = `${pod.name} still there ${secondsFrom(facts, x, staying.at[0])} after ${last.id} ended: ${op.sights.at(-1)?.reason}`;
    const evidence = evidenceOf(draining, { marks: [...marksOf([last]), { mark: staying, what: 'still there' }] });
    return { outcome: 'fail', formula, seen, evidence };
  }
  const D = deleteOf(pod);
  return compare(of, {
    formula,
    name: 'delete',
    instant: { at: D.at, marks: [...D.marks, ...draining.marks, ...marksOf([last])] },
    low: { pass: x[0], fail: x[0] },
    high: { pass: x[1] + slack, fail: x[1] + 3 * slack + facts.widener.stalledBetween(x[0], D.at[1]) },
  });
}

/** RP-13: what the protocol lets go still spends the drain window, with the grace of its own Pod. */
function spendsWindow(of: PodCase): Finding {
  const { pod, facts } = of;
  const D = deleteOf(pod);
  const op = need(
    operationOn(facts, pod),
    `no operation on ${pod.name} is in the history`,
    'a watch of ModelDeployments without a gap',
  );
  const asked = pod.leaving?.object.metadata.deletionGracePeriodSeconds;
  if (asked !== undefined && pod.grace !== undefined && asked < pod.grace) {
    return {
      outcome: 'fail',
      formula: 'deletionGracePeriodSeconds = G',
      seen: `${pod.name} deleted with a grace of ${asked} s, its own is ${pod.grace} s`,
      evidence: evidenceOf(began(op), D),
    };
  }
  demand(pod.hook, `${pod.name} has no preStop hook`, 'a replica whose command the operator builds');
  const S = need(pod.S, `the log of ${pod.name} has no mark of SIGTERM`, "the engine's own line about the signal");
  return compare(of, {
    formula: 'S >= D + 5',
    name: 'S',
    instant: { at: S.at, marks: [...began(op).marks, ...S.marks] },
    low: lower(of, D.at, c.settle),
  });
}

/** RP-04: while the protocol holds it the replica stays in place and is counted, and the status shows the progress. */
function countedWhileHeld(of: PodCase): Finding {
  const { pod, facts } = of;
  const formula = 'ready and quotaReserved as before, until the delete';
  const D = deleteOf(pod);
  const op = need(
    operationOn(facts, pod),
    `no operation on ${pod.name} is in the history`,
    'a watch of ModelDeployments without a gap',
  );
  const before = need(
    op.before && roleStatus(op.before, op.role),
    'no status before the operation',
    'an earlier watch',
  );
  const held = op.sights.filter((s) => ['Admitted', 'Disqualified', 'Withdrawing', 'Draining'].includes(s.state));
  const counted = held.map((sight) => ({ sight, role: roleStatus(sight, op.role) }));
  const fewer = counted.find(
    ({ role, sight }) =>
      role !== undefined &&
      sight.at[1] < D.at[0] &&
      ((role.ready ?? 0) < (before.ready ?? 0) || (role.quotaReserved ?? 0) < (before.quotaReserved ?? 0)),
  );
  const marks = held.map((mark) => ({ mark, what: `${mark.state}: ${mark.reason}` }));
  const seen = `${held.length} sights of the operation before the delete (${[...new Set(held.map((s) => s.state))].join(', ')}), ${before.ready} ready and ${before.quotaReserved} with quota before it`;
  if (fewer?.role) {
    const { ready, quotaReserved } = fewer.role;
    return {
      outcome: 'fail',
      formula,
      seen: `${seen}; then ${ready} ready and ${quotaReserved} with quota while ${pod.name} is held`,
      evidence: evidenceOf({ marks: [{ mark: fewer.sight, what: 'counted no more' }] }, D),
    };
  }
  const kinds = new Set(held.map((s) => s.state));
  demand(
    counted.filter(({ role }) => role !== undefined).length >= 2 && kinds.has('Draining') && op.after !== undefined,
    `the operation was seen ${held.length} times before the delete${op.after ? '' : ' and its end was not'}`,
    'a watch of ModelDeployments without a gap from before the operation to after it',
    marks,
  );
  return { outcome: 'pass', formula, seen, evidence: evidenceOf(began(op), { marks }, D) };
}

/** The course of an operation that ends with the delete. */
export const retirementCourse: Readonly<Record<string, Rule>> = {
  'GS-RP-01': eachPod('Draining <= delete, and delete >= x', drainedBeforeDelete),
  'GS-RP-02': eachPod('Draining <= delete, and delete >= x', drainedBeforeDelete),
  'GS-RP-03': eachPod('Draining <= delete, and delete >= x', drainedBeforeDelete),
  'GS-RP-04': eachPod('ready and quotaReserved as before, until the delete', countedWhileHeld),
  'GS-RP-13': eachPod('S >= D + 5', spendsWindow),
  'GS-RP-34': eachPod('delete in [x, x + q]', goesWhenIdle),
};
