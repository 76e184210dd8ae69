import type { Container, Node, Pod } from '../objects.ts';
import { quantity } from '../quantity.ts';

/** Amounts by resource name; `pods` counts Pods. */
export type Resources = Map<string, number>;

/** Adds `what` to `to`, or takes it away with `sign` -1. */
export function add(to: Resources, what: Resources, sign: 1 | -1 = 1): void {
  for (const [name, amount] of what) to.set(name, (to.get(name) ?? 0) + sign * amount);
}

/**
 * What a Pod holds: the sum over its containers and native sidecars, or the largest init container where that is more
 * (with the sidecars started before it), and one of `pods`.
 */
export function requestsOf(pod: Pod): Resources {
  const running: Resources = new Map();
  const peak: Resources = new Map();
  for (const container of pod.spec.initContainers ?? []) {
    const asked = containerRequests(container);
    if (container.restartPolicy === 'Always') add(running, asked);
    else for (const [name, amount] of asked) raise(peak, name, amount + (running.get(name) ?? 0));
  }
  for (const container of pod.spec.containers) add(running, containerRequests(container));
  for (const [name, amount] of peak) raise(running, name, amount);
  add(running, amounts(pod.spec.overhead));
  running.set('pods', 1);
  return running;
}

/** What a Node has to give; a Node that tells no allocatable gives its capacity, as the API server would fill in. */
export const allocatableOf = (node: Node): Resources => amounts(node.status?.allocatable ?? node.status?.capacity);

/** Names of the resources that do not fit, in the order of their names. */
export function insufficient(allocatable: Resources, taken: Resources, asked: Resources): string[] {
  return [...asked]
    .filter(([name, amount]) => amount > 0 && (taken.get(name) ?? 0) + amount > (allocatable.get(name) ?? 0) + 1e-9)
    .map(([name]) => name)
    .sort();
}

/** Limits stand for requests that are not told, as the API server would fill in. */
const containerRequests = ({ resources }: Container): Resources =>
  amounts({ ...resources?.limits, ...resources?.requests });

function amounts(told: Record<string, string> | undefined): Resources {
  return new Map(Object.entries(told ?? {}).map(([name, text]) => [name, quantity(text) || 0]));
}

function raise(resources: Resources, name: string, amount: number): void {
  resources.set(name, Math.max(resources.get(name) ?? 0, amount));
}
