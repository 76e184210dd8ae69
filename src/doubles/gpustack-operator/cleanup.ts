import type { Pod } from '../../systems/gpustack/readers.ts';
import type { ModelDeployment } from '../../systems/gpustack/types.ts';
import type { Faults } from './faults.ts';
import { neverRan } from './retire/candidates.ts';
import { leaving, placesOf, terminal, type Place, type Snapshot, type Workload } from './snapshot.ts';

/** What is taken away without the retirement protocol. */
export interface Cleanup {
  pods: Pod[];
  workloads: Workload[];
}

/** Whether the deployment's retirement is about this place: until it ends nobody else touches what is in it. */
export const isReservedPlace = ({ status }: ModelDeployment, { role, ordinal }: Place): boolean =>
  status?.retirement?.roleName === role && status.retirement.replicaOrdinal === ordinal;

/**
 * What lies beyond the spec and is no replica that ran: groups that were never admitted or never started, Pods that are
 * over, and Workloads of places that are empty.
 */
export function cleanupOf(deployment: ModelDeployment, snapshot: Snapshot, faults: Faults): Cleanup {
  const all: Cleanup = { pods: [], workloads: [] };
  const places = placesOf(deployment, snapshot).filter((place) => !isReservedPlace(deployment, place));
  const idle = places.filter((place) => !place.declared && neverRan(place));
  for (const place of places) {
    const { pods, surplus, workload } = place;
    const members = [...pods, ...surplus];
    if (place.declared) {
      const shed = faults.has('retire-sheds-at-once') ? surplus : surplus.filter(terminal);
      all.pods.push(...shed.filter((pod) => !leaving(pod)));
      continue;
    }
    const clean = idle.includes(place) && !faults.has('retire-cleanup-waits');
    const doomed = clean || isDoomed(deployment, place, idle.length > 0, faults) ? members : members.filter(terminal);
    all.pods.push(...doomed.filter((pod) => !leaving(pod)));
    if (workload && !leaving(workload) && (clean || members.every(terminal))) all.workloads.push(workload);
  }
  return all;
}

/** For faults alone: a replica that ran is deleted without the protocol. */
function isDoomed({ spec }: ModelDeployment, { role }: Place, cleaning: boolean, faults: Faults): boolean {
  if (faults.has('retire-deletes-at-once')) return true;
  const dropped = !spec.roles.some(({ name }) => name === role);
  if (dropped && faults.has('retire-drops-role-at-once')) return true;
  return cleaning && faults.has('retire-cleanup-takes-running');
}
