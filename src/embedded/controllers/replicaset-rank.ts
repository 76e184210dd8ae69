import { isReady } from './objects.ts';
import type { Pod } from './objects.ts';
import { readySince } from './workloads.ts';

const phases = ['Pending', 'Unknown', 'Running'];

/**
 * Orders Pods by who leaves first when a ReplicaSet shrinks, as Kubernetes does: unscheduled, less far, not ready, cheaper to
 * delete, on a fuller Node, ready for a shorter time, restarted more often, younger.
 */
export function leavingOrder(pods: Pod[], related: Pod[]): Pod[] {
  const perNode = new Map<string, number>();
  for (const pod of related) {
    const node = pod.spec.nodeName ?? '';
    perNode.set(node, (perNode.get(node) ?? 0) + 1);
  }
  const rank = (pod: Pod): number[] => [
    pod.spec.nodeName ? 1 : 0,
    phases.indexOf(pod.status?.phase ?? 'Pending'),
    isReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0) || 0,
    -(perNode.get(pod.spec.nodeName ?? '') ?? 0),
    isReady(pod) ? -readySince(pod) : 0,
    -Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount ?? 0)),
    -Date.parse(pod.metadata.creationTimestamp ?? ''),
    -Number(pod.metadata.resourceVersion),
  ];
  return pods
    .map((pod) => ({ pod, rank: rank(pod) }))
    .sort((a, b) => {
      const i = a.rank.findIndex((value, at) => value !== b.rank[at]);
      return i < 0 ? 0 : (a.rank[i] ?? 0) - (b.rank[i] ?? 0);
    })
    .map(({ pod }) => pod);
}
