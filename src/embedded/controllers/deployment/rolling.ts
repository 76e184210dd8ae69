import { share } from '../workloads.ts';
import type { Deployment, ReplicaSet } from '../workloads.ts';

/** A wish to change the size of one ReplicaSet. */
export interface Resize {
  set: ReplicaSet;
  replicas: number;
}

const wantedBy = (set: ReplicaSet): number => set.spec.replicas ?? 1;
const availableIn = (set: ReplicaSet): number => set.status?.availableReplicas ?? 0;
const sum = (sets: ReplicaSet[], of: (set: ReplicaSet) => number): number => sets.reduce((n, set) => n + of(set), 0);

/** How many Pods may be there above, and may be missing below, the wanted number; a rolling update never has both 0. */
export function bounds({ spec }: Deployment): { maxSurge: number; maxUnavailable: number } {
  const replicas = spec.replicas ?? 1;
  if (spec.strategy?.type === 'Recreate') return { maxSurge: 0, maxUnavailable: 0 };
  const told = spec.strategy?.rollingUpdate;
  const maxSurge = share(told?.maxSurge ?? '25%', replicas, 'up');
  const maxUnavailable = share(told?.maxUnavailable ?? '25%', replicas, 'down');
  return { maxSurge, maxUnavailable: maxSurge + maxUnavailable === 0 ? 1 : Math.min(maxUnavailable, replicas) };
}

/** How large the newest set may be now: as many as the surge leaves room for. */
export function newestSize(deployment: Deployment, newest: ReplicaSet | undefined, all: ReplicaSet[]): number {
  const replicas = deployment.spec.replicas ?? 1;
  const current = newest ? wantedBy(newest) : 0;
  if (current >= replicas) return replicas;
  const room = replicas + bounds(deployment).maxSurge - sum(all, wantedBy);
  return room <= 0 ? current : current + Math.min(room, replicas - current);
}

/**
 * Which old sets shrink now, as Kubernetes does it: first the Pods that are not available anyway, then the oldest sets' as
 * far as enough available ones remain.
 */
export function shrinkOld(deployment: Deployment, newest: ReplicaSet, old: ReplicaSet[]): Resize[] {
  const minAvailable = (deployment.spec.replicas ?? 1) - bounds(deployment).maxUnavailable;
  const all = [...old, newest];
  const missingInNewest = wantedBy(newest) - availableIn(newest);
  const sizes = new Map(old.map((set) => [set, wantedBy(set)]));
  const size = (set: ReplicaSet) => sizes.get(set) ?? 0;

  let ill = sum(all, wantedBy) - minAvailable - missingInNewest;
  if (ill <= 0) return [];
  for (const set of old) {
    const cut = Math.min(ill, Math.max(0, size(set) - availableIn(set)));
    sizes.set(set, size(set) - cut);
    ill -= cut;
  }
  let spare = sum(all, availableIn) - minAvailable;
  for (const set of old) {
    const cut = Math.max(0, Math.min(spare, size(set)));
    sizes.set(set, size(set) - cut);
    spare -= cut;
  }
  return old.filter((set) => size(set) !== wantedBy(set)).map((set) => ({ set, replicas: size(set) }));
}
