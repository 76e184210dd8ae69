import type { KubeObject } from '../../cluster/rest.ts';
import { defaults, routerName } from '../../systems/gpustack/names.ts';
import { replicaReady } from '../../systems/gpustack/readers.ts';
import type { Condition, ModelDeployment, ModelDeploymentStatus, Role } from '../../systems/gpustack/types.ts';
import { refusal, routerRefusal } from './admission.ts';
import { listenerOf } from './render/port.ts';
import { workerSelector } from './render/router.ts';
import { isTakeOver } from './render/container.ts';
import { holds, leaving, slotsOf, type Slot, type Snapshot } from './snapshot.ts';

/** What the status says of one role beside its counts. */
export interface RoleView {
  role: Role;
  slots: Slot[];
  held: KubeObject[];
  outdated: number;
}

/** The status of a deployment, from what is there. Conditions that did not change keep their time. */
export function statusOf(deployment: ModelDeployment, views: RoleView[], router: KubeObject | undefined, at: string) {
  const { metadata, spec, status: before = {} } = deployment;
  const roles = views.map(({ role, slots }) => ({
    name: role.name,
    kind: role.kind ?? 'Server',
    desired: role.replicas ?? 1,
    ready: slots.filter(({ pods }) => pods.some(replicaReady)).length,
    quotaReserved: slots.filter(({ workload }) => holds(workload, 'QuotaReserved')).length,
    unmanaged: isTakeOver(role),
  }));
  const refused = refusal(deployment);
  const routerReady = spec.router ? available(router) : undefined;
  const ready = roles.every((r) => r.ready >= r.desired) && !refused;
  const started = before.phase === 'Ready' || before.phase === 'Degraded';
  const held = views.reduce((sum, view) => sum + view.held.length, 0);
  const [first] = spec.roles;
  const direct =
    first && `${listenerOf(first).scheme}://${metadata.name}.${metadata.namespace}.svc:${listenerOf(first).port}`;
  const routed = `http://${routerName(metadata.name)}.${metadata.namespace}.svc:${defaults.routerPort}`;
  const endpoint = spec.router ? (routerReady ? routed : null) : (direct ?? null);
  const conditions = [
    upToDate(views, refused),
    toCondition(
      'QuotaReserved',
      roles.every((r) => r.quotaReserved >= r.desired),
      'Reserved',
      'WaitingForQuota',
    ),
    toCondition('RoleKindsReady', ready, 'Ready', 'NotReady'),
    ...(spec.router ? [routerCondition(deployment, routerReady === true)] : []),
  ];
  const status: ModelDeploymentStatus = {
    observedGeneration: metadata.generation ?? 0,
    phase: leaving(deployment) ? 'Deleting' : ready ? 'Ready' : started ? 'Degraded' : 'Starting',
    phaseMessage: refused ?? routerRefusal(deployment) ?? heldMessage(held),
    endpoint,
    roleSummary: `${spec.router ? `${spec.router.replicas ?? 1}R` : ''}${roles.reduce((n, r) => n + r.desired, 0)}S`,
    roles,
    router: spec.router ? routerStatus(deployment, endpoint) : null,
    conditions: conditions.map((c) => dated(c, before.conditions ?? [], metadata.generation ?? 0, at)),
  };
  return status;
}

type Undated = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>;

const toCondition = (type: string, holds: boolean, yes: string, no: string, message = ''): Undated => ({
  type,
  status: holds ? 'True' : 'False',
  reason: holds ? yes : no,
  message,
});

function upToDate(views: RoleView[], refused: string | undefined): Undated {
  const outdated = views.reduce((sum, view) => sum + view.outdated, 0);
  const moving = views.some(({ slots }) => slots.some(({ pods }) => pods.length === 0 || pods.some(leaving)));
  if (refused) return toCondition('ReplicasUpToDate', false, '', 'RolloutNotObserved', refused);
  if (outdated > 0) {
    return toCondition('ReplicasUpToDate', false, '', 'RolloutInProgress', `${outdated} replicas are not as specified`);
  }
  return toCondition('ReplicasUpToDate', !moving, 'UpToDate', 'ReplacementInProgress');
}

const heldMessage = (held: number): string =>
  held === 0
    ? ''
    : `${held} replicas beyond spec.replicas are held: this double removes none, for want of the retirement protocol`;

function routerCondition(deployment: ModelDeployment, ready: boolean): Undated {
  const refused = routerRefusal(deployment);
  if (refused) return toCondition('RouterReady', false, '', 'NotSupported', refused);
  return toCondition('RouterReady', ready, 'Ready', 'NotReady');
}

const available = (router: KubeObject | undefined): boolean =>
  ((router?.['status'] as { readyReplicas?: number } | undefined)?.readyReplicas ?? 0) > 0;

function routerStatus({ metadata, spec }: ModelDeployment, endpoint: string | null) {
  const selector = Object.entries(workerSelector(metadata.name))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const roles = spec.roles.map(({ name, kind = 'Server' }) => ({ name, kind, selector }));
  return { name: spec.router?.name ?? '', endpoint: endpoint ?? '', roles };
}

function dated(condition: Undated, before: Condition[], generation: number, at: string): Condition {
  const same = before.find((c) => c.type === condition.type && c.status === condition.status);
  return { ...condition, observedGeneration: generation, lastTransitionTime: same?.lastTransitionTime ?? at };
}

/** Whether a status says the same as the one that is stored, so that nothing is written. */
export function sameStatus(a: ModelDeploymentStatus | undefined, b: ModelDeploymentStatus): boolean {
  return canonical(a ?? {}) === canonical(b);
}

// A merge patch with null removes a field; so null and absent are the same.
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part ?? undefined;
    return Object.fromEntries(
      Object.entries(part)
        .filter(([, v]) => v !== null)
        .sort(([x], [y]) => (x < y ? -1 : 1)),
    );
  });
}

export const viewOf = (deployment: ModelDeployment, role: Role, snapshot: Snapshot, outdated: number): RoleView => ({
  role,
  ...slotsOf(deployment, role, snapshot),
  outdated,
});
