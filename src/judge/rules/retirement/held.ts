import { retirement as p } from '../../../requirements/retirement.ts';
import { holds, holdsIn } from '../../../requirements/holds.ts';
import type { Hold } from '../../../requirements/holds.ts';
import { tolerances } from '../../../requirements/tolerances.ts';
import { secondsFrom } from '../../compare.ts';
import { began, entered, roleStatus } from '../../facts/operation.ts';
import type { DeploymentFields, OperationSight } from '../../facts/operation.ts';
import { placeIn } from '../../facts/objects.ts';
import type { Instant, PodFacts } from '../../facts/pod.ts';
import { allZero } from '../../facts/work.ts';
import { demand, evidenceOf, given, need } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { holdOf } from './each.ts';
import type { OperationCase } from './each.ts';
import { lastDeployment, lastStaying, looksAt } from './there.ts';
import type { Look } from './there.ts';
import type { Mark } from '../../facts/mark.ts';

const isHold = (text: string | undefined): text is Hold => text !== undefined && Object.hasOwn(holds, text);

/** The hold that a decision asks for, by its name in `given.reason`. */
export function askedHold(of: OperationCase): Hold {
  const asked = given.text(of.given, 'reason');
  return need(isHold(asked) ? asked : undefined, `the decision names no known hold (${asked ?? '-'})`, 'given.reason');
}

/** Sights in which the operation could already know why it holds: in Draining, and what an abort repeats of it. */
export const heldSights = (of: OperationCase): OperationSight[] =>
  of.operation.sights.filter((s) => s.state === 'Draining' || s.state === 'Aborted');

export const sightMarks = (sights: readonly Reason[]): Instant['marks'] =>
  sights.map((mark) => ({ mark, what: `${mark.state}: ${mark.reason}` }));

/**
 * A cause that stands for as long as the scenario looks holds the replica: no member is deleted, and the reason names the
 * cause. A delete of a member breaks it; a hold counts once it was seen to stand for `given.hold` seconds.
 */
export function heldFor(of: OperationCase, hold: Hold): Finding {
  const { operation, targets, facts, scale } = of;
  const start = began(operation);
  const draining = entered(operation, 'Draining');
  const formula = `held, reason ${hold}`;
  const deleted = targets.filter((t) => t.D !== undefined && !(hold === 'working' && wasFree(t)));
  if (deleted.length > 0) {
    const [first] = deleted;
    return {
      outcome: 'fail',
      formula,
      seen: `${deleted.map((t) => t.name).join(', ')} deleted ${secondsFrom(facts, start.at, first?.D?.at[1] ?? 0)} after the operation began; reason last seen: ${operation.sights.at(-1)?.reason}`,
      evidence: evidenceOf(start, draining, first?.D),
    };
  }
  const from = need(
    draining,
    `${operation.deployment} never came to read its members: ${operation.sights.at(-1)?.state}, ${operation.sights.at(-1)?.reason}`,
    'a router that shows that the target has left its selection',
  );
  const sights: Reason[] = [...heldSights(of), ...looksAtOperation(of)];
  const named = sights.filter((s) => holdsIn(s.reason).includes(hold));
  const until = from.at[1] + scale.toMs(holdOf(of));
  const alive = targets.map((t) => lastStaying(facts, t));
  const last = lastDeployment(facts, operation.deployment);
  const marks = sightMarks(named.length > 0 ? named : sights);
  const seen = `${operation.role} ${operation.ordinal} held from ${secondsFrom(facts, start.at, from.at[1])} on: ${(named.at(-1) ?? sights.at(-1))?.reason}`;
  const evidence = evidenceOf(
    from,
    { marks },
    { marks: alive.flatMap((m) => (m ? [{ mark: m, what: 'still there' }] : [])) },
  );
  const other = wrongReason(of, hold, from, until);
  if (other) {
    return {
      outcome: 'fail',
      formula,
      seen: `${seen}; the reason names ${holdsIn(other.reason).join(', ') || 'nothing known'}: ${other.reason}`,
      evidence: evidenceOf(from, { marks: sightMarks([other]) }),
    };
  }
  demand(named.length > 0, `${seen}: the reason does not name it yet`, `a reason that names ${hold}`, marks);
  demand(
    alive.length > 0 && alive.every((m) => m !== undefined && m.at[0] >= until) && last !== undefined,
    `the members of ${operation.deployment} are not known to be there ${holdOf(of)} s after the draining began`,
    'a read of each member at the end of the window',
    marks,
  );
  return { outcome: 'pass', formula, seen, evidence };
}

/** Whether the gauges of a deleted Pod were at 0 before its delete: what held it was over. */
function wasFree({ samples, D }: PodFacts): boolean {
  const last = samples.filter((s) => s.at[1] < (D?.at[0] ?? 0) && s.data.status === 200).at(-1);
  return last !== undefined && allZero(last);
}

/** The reason that a read of ours showed, where it had time to settle and names another cause, or none. */
function wrongReason(of: OperationCase, hold: Hold, from: Instant, until: number): Reason | undefined {
  const q = of.scale.toMs(tolerances.requeue.value);
  const last = looksAtOperation(of)
    .filter((l) => l.at[0] >= until + q)
    .at(-1);
  if (!last) return undefined;
  const names = holdsIn(last.reason);
  // A read that came to no end, as on a busy machine, tells nothing of the answer; one that is still under way even less.
  if (names.includes(hold) || names.includes('unread')) return undefined;
  // Nor does an answer that did not come in time, which the operator tells as one without a gauge.
  const stalls = of.facts.widener.stalledBetween(last.at[0] - 2 * of.scale.toMs(p.readSeconds), last.at[1]);
  if (names.includes('incomplete') && stalls > 0) return undefined;
  const longest = from.at[1] + of.scale.toMs(p.readSeconds) + 3 * q;
  const reading = names.length === 0 && last.reason.startsWith('reading');
  return reading && last.at[0] < longest + of.facts.widener.stalledBetween(from.at[1], longest) ? undefined : last;
}

interface Reason extends Mark {
  state: string;
  reason: string;
}

/** What reads of ours showed of the operation: positive facts, where the watch may have lost one. */
function looksAtOperation({ facts, operation }: OperationCase): Reason[] {
  const uid = operation.sights[0]?.object.metadata.uid;
  return (uid === undefined ? [] : (looksAt(facts, uid) as Look<DeploymentFields>[])).flatMap((look) => {
    const { state, reason = '', roleName, replicaOrdinal } = look.object.status?.retirement ?? {};
    const same = roleName === operation.role && replicaOrdinal === operation.ordinal;
    return same && (state === 'Draining' || state === 'Aborted')
      ? [{ at: look.at, event: look.event, state, reason }]
      : [];
  });
}

/** Pods, Workload and capacity of an aborted operation are those of before. */
export function retained(of: OperationCase): Finding {
  const { operation, targets, facts } = of;
  const formula = 'after Aborted: same Pods, same Workload, same quota';
  const aborted = need(
    entered(operation, 'Aborted'),
    `the operation on ${operation.deployment} was not seen to abort`,
    'a window that goes on until the operation ends',
  );
  const lost = targets.filter((t) => t.D !== undefined);
  if (lost.length > 0) {
    return {
      outcome: 'fail',
      formula,
      seen: `${lost.map((t) => t.name).join(', ')} deleted though the operation aborted`,
      evidence: evidenceOf(aborted, lost[0]?.D),
    };
  }
  const alive = targets.map((t) => lastStaying(facts, t));
  const before = operation.before && roleStatus(operation.before, operation.role);
  const last = lastDeployment(facts, operation.deployment);
  const after = last && roleStatus({ ...last, type: 'modified' }, operation.role);
  const workloads = (facts.all.objects.get('Workload') ?? []).filter(
    (w) => w.object.metadata.uid === operation.workload,
  );
  const removed = workloads.find((w) => w.type === 'deleted');
  const marks = alive.flatMap((m) => (m ? [{ mark: m, what: 'still there' }] : []));
  if (removed) {
    return {
      outcome: 'fail',
      formula,
      seen: `the Workload of ${operation.role} ${operation.ordinal} is gone`,
      evidence: evidenceOf(aborted, { marks: [{ mark: removed, what: 'Workload deleted' }] }),
    };
  }
  const evidence = evidenceOf(aborted, { marks }, last && { marks: [{ mark: last, what: 'status' }] });
  const seen = `${targets.length} members still there after Aborted, quota reserved ${before?.quotaReserved} before and ${after?.quotaReserved} after`;
  if (
    last &&
    last.at[0] > aborted.at[1] &&
    before &&
    after &&
    (after.quotaReserved ?? 0) < (before.quotaReserved ?? 0) - othersLeft(of, last.at[1])
  ) {
    return { outcome: 'fail', formula, seen, evidence };
  }
  demand(
    alive.length === operation.uids.length && alive.every((m) => m !== undefined && m.at[0] > aborted.at[1]),
    'the members are not known to be there after Aborted',
    'a read of each member at the end of the window',
    marks,
  );
  demand(
    before !== undefined &&
      after !== undefined &&
      last !== undefined &&
      last.at[0] >= aborted.at[0] &&
      workloads.length > 0,
    'status or Workload after Aborted are not in the history',
    'a read of the ModelDeployment at the end of the window, and a watch of Workloads',
    marks,
  );
  return { outcome: 'pass', formula, seen, evidence };
}

/** Replicas of the role beside the target that left up to then: their quota went with them. */
function othersLeft({ facts, operation }: OperationCase, until: number): number {
  const left = facts.pods.filter(
    (pod) =>
      pod.deployment === operation.deployment &&
      pod.role === operation.role &&
      !operation.uids.includes(pod.uid) &&
      pod.D !== undefined &&
      pod.D.at[0] <= until,
  );
  return new Set(left.map((pod) => placeIn(pod.newest).group ?? pod.uid)).size;
}
