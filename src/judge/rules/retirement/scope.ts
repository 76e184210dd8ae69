import { secondsFrom } from '../../compare.ts';
import { began, deploymentSights, entered, operationOn, operationsOf } from '../../facts/operation.ts';
import { condition, versionOf } from '../../facts/objects.ts';
import type { ContainerStatus } from '../../facts/objects.ts';
import { podsOfRole } from '../../facts/facts.ts';
import type { PodFacts } from '../../facts/pod.ts';
import { decide, demand, eachPod, evidenceOf, given, need } from '../../rule.ts';
import type { PodCase, Rule, RuleInput } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { departureOf } from '../../signal.ts';
import { proofOf } from '../causes.ts';
import { marksOf, names } from '../cut-requests.ts';
import { eachOperation } from './each.ts';
import type { OperationCase } from './each.ts';
import { heldFor, askedHold } from './held.ts';
import { splitReplica } from './split.ts';
import { lastStaying } from './there.ts';

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

const hasRun = ({ restartCount = 0, state, lastState }: ContainerStatus): boolean =>
  restartCount > 0 || [state?.running, state?.terminated, lastState?.terminated].some((told) => told !== undefined);

/** Whether a Pod is one that was never admitted to a node, or never ran on one, as the part says. */
function neverWas(part: string | undefined, pod: PodFacts): boolean {
  // What a kubelet says of a container once its Pod leaves tells nothing of whether it had run.
  const staying = pod.sightings.filter((s) => s.object.metadata.deletionTimestamp === undefined);
  const ran = pod.ready !== undefined || staying.some((s) => s.object.status?.containerStatuses?.some(hasRun));
  const placed = pod.sightings.some(
    (s) => condition(s.object, 'PodScheduled')?.status === 'True' || s.object.spec.nodeName,
  );
  return part === 'never admitted' ? !placed : placed && !ran;
}

/** RP-12: a group that never ran, or was never admitted, is cleaned up: it is not held, and so not aborted either. */
const cleanedUp: Rule = ({ facts, decision, cases, given: asked }) =>
  cases.flatMap((one) =>
    decide('removed without being held', () => {
      const pods = podsOfRole(facts, one.deployment, one.role).filter((pod) => neverWas(decision.part, pod));
      demand(
        pods.length > 0,
        `no Pod of ${one.role} is one that was ${decision.part ?? 'never run'}`,
        'a Pod that never became Ready',
      );
      return [
        ...pods.map((pod) => removedUnheld(pod, facts, decision.part)),
        ...besideIt(facts, given.text(asked, 'running')),
      ];
    }).map((finding) => ({ ...finding, case: one.name })),
  );

/** What the clean-up must not take along: the running replica of a case that the same edit removes goes by the protocol. */
function besideIt(facts: RuleInput['facts'], name: string | undefined): Finding[] {
  if (name === undefined) return [];
  const formula = 'a replica that ran is not cleaned up with it';
  const uid = facts.all.cases.get(name)?.data.uid;
  const pod = need(
    facts.pods.find((p) => p.uid === uid),
    `no Pod of case ${name} is bound`,
    'the case.bound event',
  );
  const operation = operationOn(facts, pod);
  if (pod.D && !operation) {
    const seen = `${pod.name}, which ran, deleted without an operation`;
    return [{ outcome: 'fail', formula, seen, evidence: evidenceOf(pod.D) }];
  }
  const start = need(operation && began(operation), `no operation names ${pod.name}`, 'a watch of ModelDeployments');
  return [{ outcome: 'pass', formula, seen: `${pod.name} has an operation of its own`, evidence: evidenceOf(start) }];
}

function removedUnheld(pod: PodFacts, facts: RuleInput['facts'], part: string | undefined): Finding {
  const formula = 'removed without being held';
  const operation = operationOn(facts, pod);
  const aborted = operation && entered(operation, 'Aborted');
  if (aborted)
    return {
      outcome: 'fail',
      formula,
      seen: `held and aborted: ${operation.sights.at(-1)?.reason}`,
      evidence: evidenceOf(began(operation), aborted),
    };
  const D = need(pod.D, `no delete of ${pod.name} is in the history`, 'a watch of Pods without a gap');
  return {
    outcome: 'pass',
    formula,
    seen: `${pod.name} (${part}) deleted${operation ? ' by an operation that was not aborted' : ' without an operation'}`,
    evidence: evidenceOf(D, operation && began(operation)),
  };
}

/** RP-19: every member that the operation bound is deleted, and no other Pod. */
function everyMember(of: OperationCase): Finding {
  const { facts, operation, targets } = of;
  const formula = 'deleted: exactly targetMemberUIDs';
  const start = began(operation);
  const end = operation.after;
  // Versions of one store tell the order where the instants are known too roughly.
  const [first] = operation.sights;
  const begins = first ? versionOf(first.object) : Infinity;
  const others = facts.pods.filter(
    (pod) =>
      pod.deployment === operation.deployment &&
      pod.role === operation.role &&
      !operation.uids.includes(pod.uid) &&
      pod.D &&
      (pod.D.at[0] > start.at[0] || (pod.leaving !== undefined && versionOf(pod.leaving.object) > begins)),
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
  const left = targets.filter((t) => t.D === undefined && (lastStaying(facts, t)?.at[0] ?? 0) > end.at[1]);
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
  const before = deploymentSights(of.facts, of.operation.deployment).findLast(
    (s) => s.object.metadata.generation !== first?.object.metadata.generation && s.at[1] <= (first?.at[1] ?? 0),
  );
  const role = (sight: typeof before) => sight?.object.spec.roles.find(({ name }) => name === of.operation.role);
  const shape = (sight: typeof before) => JSON.stringify({ ...role(sight), replicas: undefined });
  const edited =
    before !== undefined &&
    shape(before) !== shape(first) &&
    (role(before)?.replicas ?? 1) > (role(first) ? (role(first)?.replicas ?? 1) : 0);
  demand(
    edited,
    'the spec did not change when the operation began',
    'an edit of the role and its removal in one write',
  );
  return hold === 'split' ? splitReplica(of) : heldFor(of, hold);
}

/** What an operation covers, and what it leaves alone. */
export const retirementScope: Readonly<Record<string, Rule>> = {
  'GS-RP-05': eachPod('no operation names the Pod', notThroughProtocol),
  'GS-RP-06': eachOperation('held, with the reason of the deployed shape', readAsDeployed),
  'GS-RP-11': eachOperation('a stream through the Service is whole across the operation', connectionGoesOn),
  'GS-RP-12': cleanedUp,
  'GS-RP-19': eachOperation('deleted: exactly targetMemberUIDs', everyMember),
};
