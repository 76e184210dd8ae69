import { secondsFrom } from '../../compare.ts';
import { began, deploymentSights, entered, operationOn, operationsOf } from '../../facts/operation.ts';
import { condition } from '../../facts/objects.ts';
import { demand, eachPod, evidenceOf, need } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { departureOf } from '../../signal.ts';
import { proofOf } from '../causes.ts';
import { marksOf, names } from '../cut-requests.ts';
import { eachOperation } from './each.ts';
import type { OperationCase } from './each.ts';
import { heldFor, askedHold } from './held.ts';

/** RP-05: what the spec did not ask for does not go through the protocol. */
function notThroughProtocol(of: PodCase): Finding {
  const { pod, facts } = of;
  const formula = 'no operation names the Pod';
  const departure = departureOf(of);
  const proof = proofOf(of, departure);
  const { D } = departure;
  const operation = operationOn(facts, pod);
  if (operation) {
    const start = began(operation);
    return {
      outcome: 'fail',
      formula,
      seen: `status.retirement names ${pod.name}: ${operation.sights.map((s) => s.state).join(', ')}`,
      evidence: evidenceOf(start, D, { marks: proof }),
    };
  }
  const sights = deploymentSights(facts, pod.deployment).filter((s) => s.at[0] > D.at[1]);
  demand(
    sights.length > 0,
    `${pod.deployment} was not seen after the delete of ${pod.name}`,
    'a watch of ModelDeployments',
  );
  const other = [...new Set(facts.pods.map((q) => q.deployment))].flatMap((d) => operationsOf(facts, d))[0];
  demand(other !== undefined, 'no operation is seen for anything in this run', 'a scale-down in the same run');
  const seen = `${pod.name} left by ${of.decision.part}, ${sights.length} sights of ${pod.deployment} after it without an operation on it; one on ${other.role} ${other.ordinal} was seen`;
  return { outcome: 'pass', formula, seen, evidence: evidenceOf(D, { marks: proof }, began(other)) };
}

/** RP-11: connections through the role's Service go on while the replica is held and after the abort. */
function connectionGoesOn(of: OperationCase): Finding {
  const { facts, operation, targets } = of;
  const formula = 'a stream through the Service is whole across the operation';
  const start = began(operation);
  const open = facts.requests.filter(
    (q) =>
      q.planned?.via === 'service' &&
      q.sent &&
      q.sent.at[1] < start.at[0] &&
      q.servers.some((uid) => targets.some((t) => t.uid === uid)),
  );
  const cut = open.filter((q) => q.cut && q.over && q.over[1] > start.at[0]);
  const evidence = evidenceOf(start, entered(operation, 'Aborted'), { marks: marksOf(open) });
  if (cut.length > 0)
    return { outcome: 'fail', formula, seen: `${names(cut)} cut while the replica is held`, evidence };
  const aborted = need(
    entered(operation, 'Aborted'),
    'the operation did not abort',
    'a window that goes on until it does',
  );
  const whole = open.filter((q) => q.kind === 'complete' && q.over && q.over[0] > aborted.at[1]);
  demand(
    whole.length > 0,
    'no stream through the Service ran from before the operation until after its abort',
    'a longer stream through the Service',
    marksOf(open),
  );
  return {
    outcome: 'pass',
    formula,
    seen: `${names(whole)} whole, ended ${secondsFrom(facts, start.at, whole[0]?.over?.[1] ?? 0)} after the operation began`,
    evidence,
  };
}

/** RP-12: a group that never ran, or was never admitted, is cleaned up; a running one of the same removal is held. */
function cleanedUp(of: PodCase): Finding {
  const { pod, facts, decision } = of;
  const formula = 'removed without being held';
  const D = need(pod.D, `no delete of ${pod.name} is in the history`, 'a watch of Pods without a gap');
  const ran = pod.sightings.some(
    (s) => (s.object.status?.containerStatuses?.length ?? 0) > 0 && pod.ready !== undefined,
  );
  const placed = pod.sightings.some(
    (s) => condition(s.object, 'PodScheduled')?.status === 'True' || s.object.spec.nodeName,
  );
  const matches = decision.part === 'never admitted' ? !placed : placed && !ran;
  demand(matches, `${pod.name} is not one that was ${decision.part ?? 'never run'}`, 'a Pod that never became Ready');
  const operation = operationOn(facts, pod);
  const aborted = operation && entered(operation, 'Aborted');
  if (aborted)
    return {
      outcome: 'fail',
      formula,
      seen: `held and aborted: ${operation.sights.at(-1)?.reason}`,
      evidence: evidenceOf(began(operation), aborted),
    };
  return {
    outcome: 'pass',
    formula,
    seen: `${pod.name} (${decision.part}) deleted${operation ? ' by an operation that was not aborted' : ' without an operation'}`,
    evidence: evidenceOf(D, operation && began(operation)),
  };
}

/** RP-19: every member that the operation bound is deleted, and no other Pod. */
function everyMember(of: OperationCase): Finding {
  const { facts, operation, targets } = of;
  const formula = 'deleted: exactly targetMemberUIDs';
  const start = began(operation);
  const end = operation.after;
  const others = facts.pods.filter(
    (pod) =>
      pod.deployment === operation.deployment &&
      pod.role === operation.role &&
      !operation.uids.includes(pod.uid) &&
      pod.D &&
      pod.D.at[0] > start.at[0],
  );
  const deleted = targets.filter((t) => t.D !== undefined);
  const seen = `${deleted.length} of ${operation.uids.length} members deleted, ${others.length} other Pods of the role`;
  const evidence = evidenceOf(start, ...deleted.map((t) => t.D), ...others.map((o) => o.D));
  if (others.length > 0)
    return { outcome: 'fail', formula, seen: `${seen}: ${others.map((o) => o.name).join(', ')}`, evidence };
  demand(
    end !== undefined,
    `the operation was not seen to end: ${operation.sights.at(-1)?.state}`,
    'a window that goes on until it ends',
  );
  const left = targets.filter((t) => t.D === undefined && t.sightings.some((s) => s.at[0] > end.at[1]));
  if (left.length > 0)
    return {
      outcome: 'fail',
      formula,
      seen: `${seen}; the operation ended and ${left.map((t) => t.name).join(', ')} is left`,
      evidence,
    };
  demand(
    deleted.length === operation.uids.length && operation.uids.length > 1,
    seen,
    'the delete of every member of a replica of several Pods',
  );
  return { outcome: 'pass', formula, seen, evidence };
}

/** RP-06: the replica is read as it is deployed, whatever the spec says by then. */
function readAsDeployed(of: OperationCase): Finding {
  const hold = askedHold(of);
  const [first] = of.operation.sights;
  const edited = of.operation.before?.object.metadata.generation !== first?.object.metadata.generation;
  demand(
    edited,
    'the spec did not change when the operation began',
    'an edit of the role and its removal in one write',
  );
  return heldFor(of, hold);
}

/** What an operation covers, and what it leaves alone. */
export const retirementScope: Readonly<Record<string, Rule>> = {
  'GS-RP-05': eachPod('no operation names the Pod', notThroughProtocol),
  'GS-RP-06': eachOperation('held, with the reason of the deployed shape', readAsDeployed),
  'GS-RP-11': eachOperation('a stream through the Service is whole across the operation', connectionGoesOn),
  'GS-RP-12': eachPod('removed without being held', cleanedUp),
  'GS-RP-19': eachOperation('deleted: exactly targetMemberUIDs', everyMember),
};
