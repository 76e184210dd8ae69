import { reasons } from '../../../requirements/retirement-reasons.ts';
import { labels } from '../../../systems/gpustack/names.ts';
import type { Pod } from '../../../systems/gpustack/readers.ts';
import { roleOf } from '../../../systems/gpustack/readers.ts';
import type { Retirement } from '../../../systems/gpustack/types.ts';
import { Actions } from '../actions.ts';
import { leaving, type Workload } from '../snapshot.ts';
import type { Look, Step } from './look.ts';
import { moved } from './operation.ts';
import { writeRecord } from './release.ts';
import type { Target } from './target.ts';

/** Documented seconds between two looks where no event tells of a change. */
const LOOK = 2;

/** Deletes every bound member, each by its UID, and goes on once none of them is in the API any more. */
export async function deleteMembers(operation: Retirement, target: Target, look: Look): Promise<Step> {
  const { deployment, context, clock } = look;
  const { faults } = context;
  const actions = new Actions(context.client);
  const [first] = operation.targetMemberUIDs;
  const one = faults.has('retire-deletes-leader-only');
  const members = target.members.filter((pod) => !one || pod.metadata.uid === first);
  const doomed = [...members, ...(faults.has('retire-deletes-sibling') ? siblings(operation, look) : [])];
  const grace = faults.has('retire-deletes-with-no-grace') ? 1 : undefined;
  for (const pod of doomed) if (!leaving(pod)) await actions.deletePod(pod, grace);
  const [still] = members;
  if (!still) return { deployment, operation: moved(operation, 'Settling', reasons.settling, clock) };
  const { name } = still.metadata;
  const reason =
    clock.left(operation) <= 0
      ? reasons.leftDeletionLate
      : reasons.stillPresent(name, still.status?.phase ?? 'Unknown', leaving(still));
  return { deployment, operation: { ...operation, reason }, again: LOOK };
}

/** For a fault alone: one more replica of the role. */
function siblings(operation: Retirement, { deployment, snapshot }: Look): Pod[] {
  const other = snapshot.pods.find(
    (pod) =>
      pod.metadata.labels?.[labels.instance] === deployment.metadata.name &&
      roleOf(pod)?.role === operation.roleName &&
      roleOf(pod)?.ordinal !== operation.replicaOrdinal,
  );
  return other && snapshot.pods.some((pod) => operation.targetMemberUIDs.includes(pod.metadata.uid ?? ''))
    ? [other]
    : [];
}

/** Waits until what the target held is released, and ends the operation then. Nothing is given up here any more. */
export async function settle(operation: Retirement, { members, workload }: Target, look: Look): Promise<Step> {
  const { deployment, context, clock } = look;
  if (workload && !leaving(workload) && !ownsOthers(workload, operation)) {
    await new Actions(context.client).removeWorkload(workload);
  }
  const held = context.faults.has('retire-deletes-leader-only') ? [] : members;
  if (!workload && held.length === 0) {
    return { deployment: await writeRecord(context.client, deployment, undefined), operation: null };
  }
  const what = workload
    ? `workload ${workload.metadata.name} is still there`
    : `${held.length} members are still bound`;
  const reason = clock.left(operation) <= 0 ? reasons.settledLate(what) : operation.reason;
  return { deployment, operation: { ...operation, reason }, again: LOOK };
}

/** Whether a Workload stands for Pods beside the target too: then it stays. */
const ownsOthers = ({ metadata: { ownerReferences = [] } }: Workload, { targetMemberUIDs }: Retirement): boolean =>
  ownerReferences.some(({ kind, uid }) => kind === 'Pod' && !targetMemberUIDs.includes(uid));
