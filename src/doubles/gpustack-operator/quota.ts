import type { KubeObject } from '../../cluster/rest.ts';
import { QUOTA_ANNOTATION } from '../../systems/gpustack/names.ts';
import type { Condition } from '../../systems/gpustack/types.ts';
import { holds, leaving, type Snapshot, type Workload } from './snapshot.ts';

/** Accelerators that a namespace's replicas may hold at once; Infinity where its annotation says nothing usable. */
export function quotaOf(namespace: KubeObject): number {
  const text = namespace.metadata.annotations?.[QUOTA_ANNOTATION];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : Infinity;
}

/** Accelerators that a Workload asks for. */
export function askedBy(workload: Workload): number {
  type PodSet = {
    count: number;
    template: { spec: { containers: { resources?: { requests?: Record<string, string> } }[] } };
  };
  const { podSets = [] } = (workload['spec'] ?? {}) as { podSets?: PodSet[] };
  let sum = 0;
  for (const { count, template } of podSets) {
    for (const { resources } of template.spec.containers)
      sum += count * Number(resources?.requests?.['nvidia.com/gpu'] ?? 0);
  }
  return sum;
}

/**
 * Workloads that get their quota now: the oldest first, as many as fit; one that does not fit holds the later ones back.
 * One whose Pod leaves gets none.
 */
export function toReserve({ namespace, workloads, pods }: Snapshot): Workload[] {
  let free = quotaOf(namespace);
  for (const workload of workloads) if (holds(workload, 'QuotaReserved')) free -= askedBy(workload);
  const waiting = workloads
    .filter((w) => !holds(w, 'QuotaReserved') && !leaving(w))
    .filter((w) => !pods.some((pod) => leaving(pod) && owns(pod, w)))
    .sort((a, b) => (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? ''));
  const chosen: Workload[] = [];
  for (const workload of waiting) {
    free -= askedBy(workload);
    if (free < 0) break;
    chosen.push(workload);
  }
  return chosen;
}

/** Whether a Workload stands for this very Pod: it was bound to it when the Pod was created. */
export const owns = (pod: KubeObject, workload: Workload): boolean =>
  workload.metadata.ownerReferences?.some((o) => o.kind === 'Pod' && o.uid === pod.metadata.uid) ?? false;

/** Status of a Workload that holds its quota, or has lost it. */
export function quotaStatus(held: boolean, reason: string, at: string): Workload['status'] {
  const entry = (type: string): Condition => ({
    type,
    status: held ? 'True' : 'False',
    reason,
    message: held ? 'Quota reserved in ClusterQueue quiesce' : 'Quota released',
    lastTransitionTime: at,
  });
  return {
    conditions: [entry('QuotaReserved'), entry('Admitted')],
    admission: held ? { clusterQueue: 'quiesce' } : null,
  };
}
