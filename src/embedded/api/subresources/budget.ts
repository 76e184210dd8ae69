import type { KubeObject } from '../../../cluster/rest.ts';
import type { Api } from '../context.ts';
import { isFields, listOf, specOf, statusOf } from '../objects.ts';
import { selectorMatches } from '../selectors.ts';
import { replicasOf } from './scale.ts';

/** How many Pods a PodDisruptionBudget sees, as its status says. */
export interface Standing {
  expectedPods: number;
  currentHealthy: number;
  desiredHealthy: number;
  disruptionsAllowed: number;
}

export const BUDGETS = 'poddisruptionbudgets.policy';

export const isReady = (pod: KubeObject): boolean =>
  listOf(statusOf(pod)['conditions']).some((c) => c['type'] === 'Ready' && c['status'] === 'True');

/** The budgets that select a Pod. */
export function budgetsOf(api: Api, pod: KubeObject): KubeObject[] {
  return api.store.list(BUDGETS, pod.metadata.namespace).filter((budget) => selects(budget, pod));
}

function selects(budget: KubeObject, pod: KubeObject): boolean {
  const { selector } = specOf(budget);
  return isFields(selector) && selectorMatches(selector, pod.metadata.labels);
}

/**
 * Reckons a budget from the Pods as they are now. A real cluster's disruption controller writes the same numbers to the
 * status; here the eviction itself does, so that no controller can be late.
 */
export function standing(api: Api, budget: KubeObject): Standing {
  const spec = specOf(budget);
  const pods = api.store.list('pods', budget.metadata.namespace).filter((pod) => selects(budget, pod));
  const alive = pods.filter((pod) => !['Succeeded', 'Failed'].includes(statusOf(pod)['phase'] as string));
  const currentHealthy = alive.filter((pod) => !pod.metadata.deletionTimestamp && isReady(pod)).length;
  const { minAvailable, maxUnavailable } = spec;
  let expectedPods = expected(api, alive);
  let desiredHealthy: number;
  if (maxUnavailable !== undefined) desiredHealthy = Math.max(0, expectedPods - resolve(maxUnavailable, expectedPods));
  else if (typeof minAvailable === 'string') desiredHealthy = resolve(minAvailable, expectedPods);
  else {
    expectedPods = alive.length;
    desiredHealthy = (minAvailable as number | undefined) ?? 1;
  }
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  return { expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed };
}

/** A number, or a percentage of `total` rounded up. */
function resolve(value: unknown, total: number): number {
  return typeof value === 'string' ? Math.ceil((parseFloat(value) * total) / 100) : Number(value);
}

/** Replicas that the owners of the Pods ask for; a Pod without such an owner counts for itself. */
function expected(api: Api, pods: KubeObject[]): number {
  const owners = new Map<string, number>();
  let alone = 0;
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find((reference) => reference.controller);
    const kind = owner ? api.resources.findKind(owner.apiVersion, owner.kind) : undefined;
    const object = owner && kind ? api.store.get(kind.storage, pod.metadata.namespace ?? '', owner.name) : undefined;
    const replicas = object ? replicasOf(object) : undefined;
    if (owner && replicas !== undefined) owners.set(owner.uid, replicas);
    else alone += 1;
  }
  return [...owners.values()].reduce((sum, n) => sum + n, alone);
}
