import { annotations } from '../../../systems/gpustack/names.ts';
import type { ModelDeployment, Retirement } from '../../../systems/gpustack/types.ts';
import type { KubeClient } from '../../../cluster/rest.ts';
import { askedBy } from '../quota.ts';
import { paths } from '../snapshot.ts';
import type { Target } from './target.ts';

/** What an operation is about to release, written before anything is deleted. */
export interface ReleaseRecord {
  roleName: string;
  replicaOrdinal: number;
  startedAt: string;
  memberUIDs: string[];
  workloadUID?: string;
  /** Accelerators that the target's Workload asks for. */
  accelerators: number;
}

export const recordOf = (operation: Retirement, { workload }: Target): ReleaseRecord => ({
  roleName: operation.roleName,
  replicaOrdinal: operation.replicaOrdinal,
  startedAt: operation.startedAt,
  memberUIDs: operation.targetMemberUIDs,
  ...(operation.targetWorkloadUID ? { workloadUID: operation.targetWorkloadUID } : {}),
  accelerators: workload ? askedBy(workload) : 0,
});

/** Whether the deployment carries the record of this very operation. */
export function isRecorded({ metadata }: ModelDeployment, operation: Retirement): boolean {
  try {
    const found = JSON.parse(metadata.annotations?.[annotations.retirementRelease] ?? 'null') as ReleaseRecord | null;
    return (
      found?.startedAt === operation.startedAt &&
      found.roleName === operation.roleName &&
      found.replicaOrdinal === operation.replicaOrdinal &&
      String(found.memberUIDs) === String(operation.targetMemberUIDs)
    );
  } catch {
    return false;
  }
}

/** Stores a record, or takes it away; answers the deployment as it then is. */
export function writeRecord(client: KubeClient, { metadata }: ModelDeployment, record: ReleaseRecord | undefined) {
  const value = record ? JSON.stringify(record) : null;
  return client.patch<ModelDeployment>(`${paths.deployments(metadata.namespace ?? '')}/${metadata.name}`, {
    metadata: { annotations: { [annotations.retirementRelease]: value } },
  });
}
