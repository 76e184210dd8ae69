import type { TimeScale } from '../../../time/scale.ts';
import { timestamp } from '../objects.ts';
import type { Condition } from '../objects.ts';
import { withCondition } from '../workloads.ts';
import type { Deployment, ReplicaSet } from '../workloads.ts';
import { bounds } from './rolling.ts';

type Status = NonNullable<Deployment['status']>;

const total = (sets: ReplicaSet[], field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number =>
  sets.reduce((sum, set) => sum + (set.status?.[field] ?? 0), 0);

/** The status that follows from the ReplicaSets, such that `kubectl rollout status` reads it as it does a real one. */
export function statusOf(
  deployment: Deployment,
  newest: ReplicaSet | undefined,
  all: ReplicaSet[],
  scale: TimeScale,
): Status {
  const { spec, status: former = {}, metadata } = deployment;
  const replicas = spec.replicas ?? 1;
  const counts = {
    replicas: total(all, 'replicas'),
    updatedReplicas: total(newest ? [newest] : [], 'replicas'),
    readyReplicas: total(all, 'readyReplicas'),
    availableReplicas: total(all, 'availableReplicas'),
  };
  const at = timestamp();
  const enough = counts.availableReplicas >= replicas - bounds(deployment).maxUnavailable;
  let conditions = withCondition(
    former.conditions ?? [],
    enough
      ? available('True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
      : available('False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'),
    at,
  );
  if (spec.paused) conditions = withCondition(conditions, PAUSED, at);
  else if (newest) conditions = withProgress(conditions, deployment, newest.metadata.name, counts, scale, at);
  return {
    observedGeneration: metadata.generation ?? 0,
    ...counts,
    unavailableReplicas: Math.max(0, Math.max(replicas, counts.replicas) - counts.availableReplicas),
    conditions,
  };
}

const PAUSED: Condition = {
  type: 'Progressing',
  status: 'Unknown',
  reason: 'DeploymentPaused',
  message: 'Deployment is paused',
};

type Counts = Required<Pick<Status, 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'>>;

function withProgress(
  conditions: Condition[],
  { spec, status: former = {} }: Deployment,
  set: string,
  counts: Counts,
  scale: TimeScale,
  at: string,
): Condition[] {
  const replicas = spec.replicas ?? 1;
  const progressing = conditions.find((c) => c.type === 'Progressing');
  const say = (status: 'True' | 'False', reason: string, message: string): Condition[] =>
    withCondition(conditions, { type: 'Progressing', status, reason, message }, at);
  const { updatedReplicas, availableReplicas } = counts;
  if (updatedReplicas === replicas && counts.replicas === replicas && availableReplicas === replicas) {
    return say('True', 'NewReplicaSetAvailable', `ReplicaSet "${set}" has successfully progressed.`);
  }
  const moved =
    updatedReplicas > (former.updatedReplicas ?? 0) ||
    counts.replicas - updatedReplicas < (former.replicas ?? 0) - (former.updatedReplicas ?? 0) ||
    counts.readyReplicas > (former.readyReplicas ?? 0) ||
    availableReplicas > (former.availableReplicas ?? 0);
  if (moved || !progressing) {
    const next: Condition = {
      type: 'Progressing',
      status: 'True',
      reason: 'ReplicaSetUpdated',
      message: `ReplicaSet "${set}" is progressing.`,
      lastTransitionTime: progressing?.status === 'True' ? (progressing.lastTransitionTime ?? at) : at,
      lastUpdateTime: at,
    };
    return [...conditions.filter((c) => c.type !== 'Progressing'), next];
  }
  const deadline = spec.progressDeadlineSeconds ?? 600;
  if (progressing.reason === 'NewReplicaSetAvailable' || deadline >= 2 ** 31 - 1) return conditions;
  const sinceMs = Date.now() - Date.parse(progressing.lastUpdateTime ?? at);
  if (sinceMs <= scale.toMs(deadline)) return conditions;
  return say('False', 'ProgressDeadlineExceeded', `ReplicaSet "${set}" has timed out progressing.`);
}

const available = (status: 'True' | 'False', reason: string, message: string): Condition => ({
  type: 'Available',
  status,
  reason,
  message,
});
