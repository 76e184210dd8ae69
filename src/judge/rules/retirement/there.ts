import type { Facts } from '../../facts/facts.ts';
import type { Mark } from '../../facts/mark.ts';
import { deploymentSights } from '../../facts/operation.ts';
import type { DeploymentFields } from '../../facts/operation.ts';
import type { ObjectFields } from '../../facts/objects.ts';
import type { PodFacts } from '../../facts/pod.ts';

/** An object as a read of ours showed it. */
export interface Look<T extends ObjectFields = ObjectFields> extends Mark {
  object: T;
}

/** Every answer of the API to a read of ours, by UID of the object. */
export const looksAt = (facts: Facts, uid: string): Look[] =>
  [...facts.all.actions.values()].flatMap(({ sent, answered }) => {
    const object = answered?.data.object as ObjectFields | undefined;
    return sent?.verb === 'get' && answered && object?.metadata?.uid === uid
      ? [{ at: [sent.at[0], answered.at[1]] as const, event: answered.event, object }]
      : [];
  });

/** The last proof that a Pod was there and not deleted: absence of a delete is none. */
export function lastStaying(facts: Facts, pod: PodFacts): Mark | undefined {
  const seen = looksAt(facts, pod.uid).filter((l) => l.object.metadata.deletionTimestamp === undefined);
  return [pod.lastStaying, ...seen].reduce((a, b) => (a && (!b || a.at[0] >= b.at[0]) ? a : b), undefined);
}

/** The ModelDeployment as it was last seen, in the watch or by a read of ours. */
export function lastDeployment(facts: Facts, deployment: string): Look<DeploymentFields> | undefined {
  const sights = deploymentSights(facts, deployment);
  const uid = sights[0]?.object.metadata.uid;
  const all: Look<DeploymentFields>[] = [...sights, ...(uid ? (looksAt(facts, uid) as Look<DeploymentFields>[]) : [])];
  return all.reduce<Look<DeploymentFields> | undefined>((a, b) => (a && a.at[0] > b.at[0] ? a : b), undefined);
}
