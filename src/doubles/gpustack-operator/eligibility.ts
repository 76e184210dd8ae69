import { labels } from '../../systems/gpustack/names.ts';
import { replicaReady, type Pod } from '../../systems/gpustack/readers.ts';
import type { ModelDeployment } from '../../systems/gpustack/types.ts';
import type { Faults } from './faults.ts';
import { isReserved } from './retire/target.ts';
import { totalOf } from './slots.ts';
import { leaving, placesOf, type Snapshot } from './snapshot.ts';

/** A Pod whose label of eligibility is not what it should be. */
export interface EligibilityChange {
  pod: Pod;
  eligible: boolean;
}

/**
 * Which Pods come into endpoint selection and which leave it. A replica is eligible while all of its members are there
 * and Ready, and no retirement has reserved it; one that an aborted retirement keeps is eligible again. A leaving Pod
 * keeps what it has: routers know it by its deletion timestamp.
 */
export function eligibilityChanges(
  deployment: ModelDeployment,
  snapshot: Snapshot,
  faults: Faults,
): EligibilityChange[] {
  return placesOf(deployment, snapshot).flatMap(({ pods, surplus }) => {
    const [first] = pods;
    const whole = first !== undefined && pods.length >= totalOf(first) && pods.every(replicaReady);
    const wanted = (pod: Pod) => {
      if (isWithdrawn(deployment, pod, faults)) return false;
      return pods.includes(pod) ? whole : replicaReady(pod);
    };
    return [...pods, ...surplus]
      .filter((pod) => !leaving(pod) && isEligible(pod) !== wanted(pod))
      .map((pod) => ({ pod, eligible: wanted(pod) }));
  });
}

export const isEligible = (pod: Pod): boolean => pod.metadata.labels?.[labels.eligible] === 'true';

function isWithdrawn(deployment: ModelDeployment, pod: Pod, faults: Faults): boolean {
  if (!isReserved(deployment, pod) || faults.has('retire-skips-withdrawal')) return false;
  return deployment.status?.retirement?.state !== 'Aborted' || faults.has('aborted-stays-ineligible');
}
