import type { KubeObject } from '../../cluster/rest.ts';
import type { Condition, Pod, PodSpec } from './objects.ts';
import type { LabelSelector } from './selector.ts';

export interface PodTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: PodSpec;
}

export interface ReplicaSet extends KubeObject {
  spec: { replicas?: number; minReadySeconds?: number; selector: LabelSelector; template: PodTemplate };
  status?: {
    replicas?: number;
    fullyLabeledReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    observedGeneration?: number;
  };
}

export interface Deployment extends KubeObject {
  spec: {
    replicas?: number;
    minReadySeconds?: number;
    selector: LabelSelector;
    template: PodTemplate;
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string } };
    progressDeadlineSeconds?: number;
    revisionHistoryLimit?: number;
    paused?: boolean;
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    unavailableReplicas?: number;
    conditions?: Condition[];
  };
}

/** A number, or a share of `total` in percent, rounded up or down. */
export function share(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const match = /^(\d+)%$/.exec(value ?? '');
  if (!match) return Number(value) || 0;
  const exact = (Number(match[1]) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}

/** Sets a condition and keeps `lastTransitionTime` where the status stays; answers the same array if nothing changed. */
export function withCondition(conditions: Condition[], next: Condition, at: string): Condition[] {
  const former = conditions.find((c) => c.type === next.type);
  if (former?.status === next.status && former.reason === next.reason && former.message === next.message) {
    return conditions;
  }
  const lastTransitionTime = former?.status === next.status ? (former.lastTransitionTime ?? at) : at;
  return [...conditions.filter((c) => c.type !== next.type), { ...next, lastTransitionTime, lastUpdateTime: at }];
}

/** Since when a Pod is Ready, in milliseconds since 1970 (the API keeps whole seconds). */
export function readySince(pod: Pod): number {
  const ready = pod.status?.conditions?.find((c) => c.type === 'Ready');
  return Date.parse(ready?.lastTransitionTime ?? '') || 0;
}
