import { holdsIn } from '../../../requirements/holds.ts';
import { abortCauses, reasons } from '../../../requirements/retirement-reasons.ts';
import { labels } from '../../../systems/gpustack/names.ts';
import { replicaReady } from '../../../systems/gpustack/readers.ts';
import type { Retirement } from '../../../systems/gpustack/types.ts';
import type { Seconds } from '../../../time/scale.ts';
import type { Context } from '../context.ts';
import { placesOf } from '../snapshot.ts';
import { candidatesOf, neverRan, type Candidate } from './candidates.ts';
import { deleteMembers, settle } from './deletion.ts';
import { readTarget } from './drained.ts';
import { aborted, admitted, moved, retried } from './operation.ts';
import { isRecorded, recordOf, writeRecord } from './release.ts';
import { retryOf, retryWish } from './retry.ts';
import { observeServing, type Serving } from './serving.ts';
import type { Look, Step } from './look.ts';
import { endedOutside, targetOf, type Target } from './target.ts';

/** Documented seconds between two looks where nothing tells of a change; the operator's own interval is not known. */
const LOOK: Seconds = 1;
const READ: Seconds = 5;

/** One pass over the operation of a deployment: at most one transition, and none that is not in the status before it acts. */
export async function advance(look: Look): Promise<Step> {
  const { deployment, clock, snapshot } = look;
  const operation = deployment.status?.retirement;
  if (!operation) return start(look);
  const target = targetOf(operation, snapshot);
  const past = operation.state === 'Deleting' || operation.state === 'Settling';
  if (operation.state === 'Aborted') return afterAbort(operation, target, look);
  if (!past && endedOutside(operation, target)) {
    return { deployment, operation: aborted(operation, reasons.terminatedOutside, clock) };
  }
  const step = await perform(operation, target, look);
  const left = past ? Infinity : clock.left(operation);
  return { ...step, ...(step.again === undefined ? {} : { again: Math.max(0, Math.min(step.again, left)) }) };
}

function start(look: Look): Step {
  const { deployment, snapshot, context, clock } = look;
  const [first] = eligibleCandidates(look);
  const locked =
    context.faults.has('retire-global-lock') &&
    snapshot.deployments.some((d) => d !== deployment && d.status?.retirement);
  return { deployment, operation: first && !locked ? admitted(deployment, first, clock) : null };
}

/** What an operation may be started for: a group that never ran follows a clean-up of its own. */
function eligibleCandidates({ deployment, snapshot, context }: Look): Candidate[] {
  const cleaned = context.faults.has('retire-cleanup-waits')
    ? []
    : placesOf(deployment, snapshot).filter((place) => !place.declared && neverRan(place));
  return candidatesOf(deployment, snapshot, context).filter(
    ({ role, ordinal }) => !cleaned.some((place) => place.role === role && place.ordinal === ordinal),
  );
}

function perform(operation: Retirement, target: Target, look: Look): Promise<Step> | Step {
  switch (operation.state) {
    case 'Admitted':
      return leaveSelection(operation, target, look);
    case 'Disqualified':
      return leaveService(operation, target, look);
    case 'Withdrawing':
      return { deployment: look.deployment, operation: moved(operation, 'Draining', reasons.draining, look.clock) };
    case 'Draining':
      return drain(operation, target, look);
    case 'Deleting':
      return deleteMembers(operation, target, look);
    default:
      return settle(operation, target, look);
  }
}

const exhausted = (operation: Retirement, { clock, context: { faults } }: Look): boolean =>
  clock.left(operation) <= 0 &&
  !faults.has('retire-never-aborts') &&
  !(faults.has('retire-no-router-holds-on') && operation.state === 'Disqualified');

function leaveSelection(operation: Retirement, { members }: Target, look: Look): Step {
  const { deployment, clock, context } = look;
  if (exhausted(operation, look)) return { deployment, operation: aborted(operation, abortCauses.selection, clock) };
  const skips = context.faults.has('retire-skips-withdrawal');
  if (members.some((pod) => pod.metadata.labels?.[labels.eligible] === 'true') && !skips) {
    return { deployment, operation: { ...operation, reason: reasons.stillSelected }, again: LOOK };
  }
  return { deployment, operation: moved(operation, 'Disqualified', reasons.leftSelection, clock) };
}

async function leaveService(operation: Retirement, target: Target, look: Look): Promise<Step> {
  const { deployment, clock, context, snapshot } = look;
  const none = deployment.spec.router === undefined;
  if (exhausted(operation, look)) {
    if (none && context.faults.has('retire-no-router-deletes'))
      return { deployment, operation: moved(operation, 'Deleting', reasons.deleting, clock) };
    return { deployment, operation: aborted(operation, none ? abortCauses.noRouter : abortCauses.serving, clock) };
  }
  const skips = context.faults.has('retire-skips-withdrawal');
  const serving = skips ? undefined : await observeServing(deployment, snapshot.pods, context);
  const reason = serving && holdReason(serving, target, context);
  if (reason) return { deployment, operation: { ...operation, reason }, again: LOOK };
  return { deployment, operation: moved(operation, 'Withdrawing', reasons.withdrawn, clock) };
}

/** Why the routers' answer holds the target; undefined where every one of them proves that nothing serves it. */
function holdReason(serving: Serving, { members }: Target, { faults }: Context): string | undefined {
  if (serving.state === 'NotConfigured') return reasons.noRouter;
  if (serving.state === 'Unknown') return reasons.servingUnknown(serving.why);
  const uids = members.map((pod) => pod.metadata.uid ?? '');
  const served = uids.filter((uid) => serving.serving.has(uid));
  if (served.length > 0) return reasons.stillServed(served);
  if (faults.has('retire-ignores-recent-dispatch')) return undefined;
  const recent = faults.has('retire-any-dispatch-holds')
    ? [...serving.recent]
    : uids.filter((uid) => serving.recent.has(uid));
  return recent.length > 0 ? reasons.recentlyDispatched(recent) : undefined;
}

async function drain(operation: Retirement, target: Target, look: Look): Promise<Step> {
  const { deployment, clock, context, heldOnce } = look;
  if (exhausted(operation, look)) {
    const detail = operation.reason === reasons.draining ? '' : `: ${operation.reason}`;
    return { deployment, operation: aborted(operation, `${abortCauses.queues}${detail}`, clock) };
  }
  const held = (reason: string): Step => ({ deployment, operation: { ...operation, reason }, again: READ });
  const read = await readTarget(deployment, operation, target.members, clock.since(operation.phaseStartedAt), context);
  if (!read.drained) {
    if (read.busy) heldOnce.add(operation.startedAt);
    return held(context.faults.has('retire-constant-reason') ? reasons.draining : read.reason);
  }
  if (heldOnce.has(operation.startedAt) && context.faults.has('retire-held-for-good')) return held(operation.reason);
  // The record comes before the delete: afterwards nobody could say what was to be released.
  let recorded = deployment;
  if (!isRecorded(deployment, operation)) {
    try {
      recorded = await writeRecord(context.client, deployment, recordOf(operation, target));
    } catch (error) {
      return held(reasons.releaseNotRecorded((error as Error).message));
    }
  }
  return { deployment: recorded, operation: moved(operation, 'Deleting', reasons.deleting, clock) };
}

/** Retry, adoption, the target's end by another hand, and a later removal; without any of them it stays as it is. */
function afterAbort(operation: Retirement, target: Target, look: Look): Step {
  const { deployment, clock, context } = look;
  if (endedOutside(operation, target)) return { deployment, operation: null };
  const directive = retryOf(deployment);
  if (directive && retryWish(directive, operation) === 'retry') {
    return { deployment, operation: retried(operation, deployment, directive.token, clock) };
  }
  const wanted = eligibleCandidates(look);
  const isTarget = ({ members }: Candidate) =>
    members.some((pod) => operation.targetMemberUIDs.includes(pod.metadata.uid ?? ''));
  if (!wanted.some(isTarget) && target.members.every(replicaReady)) return { deployment, operation: null };
  // An edit that came later takes something else away: the aborted target does not stand in its way.
  const later = (deployment.metadata.generation ?? 0) > operation.observedGeneration;
  const other = wanted.find((candidate) => !isTarget(candidate));
  const blocks = holdsIn(operation.reason).includes('restarted')
    ? context.faults.has('crash-loop-blocks-removals')
    : context.faults.has('aborted-blocks-removals');
  if (later && other && !blocks) {
    return { deployment, operation: admitted(deployment, other, clock) };
  }
  return { deployment, operation };
}
