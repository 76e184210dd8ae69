import { labels } from '../../../systems/gpustack/names.ts';
import type { Pod } from '../../../systems/gpustack/readers.ts';
import type { ModelDeployment, Retirement } from '../../../systems/gpustack/types.ts';
import { leaving, terminal, type Snapshot, type Workload } from '../snapshot.ts';

/** What an operation is about, as it is now: found by UIDs alone, so that nothing that took a place is ever meant. */
export interface Target {
  /** Members that are still there, leaving ones included, lowest seat first. */
  members: Pod[];
  workload: Workload | undefined;
}

export function targetOf(operation: Retirement, { pods, workloads }: Snapshot): Target {
  const uids = new Set(operation.targetMemberUIDs);
  return {
    members: pods.filter((pod) => uids.has(pod.metadata.uid ?? '')).sort((a, b) => seatOf(a) - seatOf(b)),
    workload: workloads.find((w) => w.metadata.uid === operation.targetWorkloadUID),
  };
}

/** Whether somebody else ends the target, or has: a bound member is gone, leaves, or its engine is over. */
export const endedOutside = (operation: Retirement, { members }: Target): boolean =>
  members.length < operation.targetMemberUIDs.length || members.some((pod) => leaving(pod) || terminal(pod));

/** Whether a Pod is a bound member of the deployment's operation. */
export const isReserved = ({ status }: ModelDeployment, pod: Pod): boolean =>
  status?.retirement?.targetMemberUIDs.includes(pod.metadata.uid ?? '') ?? false;

const seatOf = (pod: Pod): number => Number(pod.metadata.labels?.[labels.memberIndex] ?? Infinity);
