import type { KubeObject } from '../../cluster/rest.ts';
import { defaults, labels, routerName } from '../../systems/gpustack/names.ts';
import { replicaReady, type Pod } from '../../systems/gpustack/readers.ts';
import type { Condition, ModelDeployment, ModelDeploymentStatus, Role } from '../../systems/gpustack/types.ts';
import { refusal } from './admission.ts';
import { listenerOf } from './render/port.ts';
import { pairs, workerSelector } from './render/selectors.ts';
import { isTakeOver } from './render/container.ts';
import type { Faults } from './faults.ts';
import { isEligible } from './eligibility.ts';
import type { Serving } from './retire/serving.ts';
import { totalOf } from './slots.ts';
import { holds, leaving, placesOf, type Place, type Snapshot } from './snapshot.ts';

/** A role, also one that the spec has dropped, with every place of it that counts. */
export interface RoleView {
  name: string;
  kind: string;
  desired: number;
  unmanaged: boolean;
  places: Place[];
  outdated: number;
}

/** What the status is told from beside the roles. */
interface Seen {
  router: KubeObject | undefined;
  serving: Serving;
  faults: Faults;
}

/** Every role of the spec, and those that it has dropped but that are still there. */
export function viewsOf(deployment: ModelDeployment, snapshot: Snapshot, outdated: (role: Role) => number): RoleView[] {
  const places = placesOf(deployment, snapshot);
  const { roles } = deployment.spec;
  const dropped = [...new Set(places.map(({ role }) => role))].filter((name) => !roles.some((r) => r.name === name));
  const kindOf = (name: string) => {
    const [pod] = places.find(({ role, pods }) => role === name && pods.length > 0)?.pods ?? [];
    const kind = pod?.metadata.labels?.[labels.roleKind] ?? 'server';
    return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  };
  const of = (name: string) => places.filter(({ role }) => role === name);
  return [
    ...roles.map((role) => ({
      name: role.name,
      kind: role.kind ?? 'Server',
      desired: role.replicas ?? 1,
      unmanaged: isTakeOver(role),
      places: of(role.name),
      outdated: outdated(role),
    })),
    ...dropped.map((name) => ({
      name,
      kind: kindOf(name),
      desired: 0,
      unmanaged: false,
      places: of(name),
      outdated: 0,
    })),
  ];
}

const isReady = ({ pods }: Place): boolean =>
  pods.length > 0 && pods.every(replicaReady) && pods.length >= totalOf(pods[0] as Pod);

/** Counts of one role: a replica beyond the spec, and a surplus member, counts until it is deleted. */
function roleStatus({ name, kind, desired, unmanaged, places }: RoleView, { status }: ModelDeployment, seen: Seen) {
  const { faults, serving } = seen;
  const target = status?.retirement;
  const uncounted = ({ role, ordinal }: Place) =>
    faults.has('retire-uncounts-target') && target?.roleName === role && target.replicaOrdinal === ordinal;
  const counted = places.filter((place) => !uncounted(place));
  const declared = places.filter((place) => place.declared);
  const conclusive = declared.every((place) => place.pods.length > 0 && place.pods.every((p) => p.status?.phase));
  return {
    name,
    kind,
    desired,
    ready: counted.filter(isReady).length + counted.flatMap((p) => p.surplus.filter(replicaReady)).length,
    quotaReserved: counted.filter(({ workload }) => holds(workload, 'QuotaReserved')).length,
    unmanaged,
    endpoints: {
      eligible: conclusive ? places.filter(({ pods: [leader] }) => leader && isEligible(leader)).length : null,
      serving: servingOf(places, serving),
    },
  };
}

/** How many replicas of these the routers serve; a number only where all of them say so. */
function servingOf(places: Place[], serving: Serving): { state: string; value?: number } {
  if (serving.state !== 'Confirmed') return { state: serving.state };
  const served = places.flatMap(({ pods, surplus }) => [...pods, ...surplus]);
  return { state: 'Confirmed', value: served.filter(({ metadata }) => serving.serving.has(metadata.uid ?? '')).length };
}

/** Whether the routers serve just what is eligible, as far as they can be heard. */
export const agrees = (serving: Serving, views: RoleView[]): boolean =>
  serving.state !== 'Confirmed' ||
  views.every(({ places }) =>
    places.every(
      ({ pods: [leader] }) =>
        !leader || leaving(leader) || isEligible(leader) === serving.serving.has(leader.metadata.uid ?? ''),
    ),
  );

/** The status of a deployment, from what is there. Conditions that did not change keep their time. */
export function statusOf(
  deployment: ModelDeployment,
  views: RoleView[],
  seen: Seen,
  at: string,
): ModelDeploymentStatus {
  const { metadata, spec, status: before = {} } = deployment;
  const roles = views.map((view) => roleStatus(view, deployment, seen));
  const refused = refusal(deployment);
  const routerReady = spec.router ? available(seen.router) : undefined;
  const ready = roles.every((r) => r.ready >= r.desired) && !refused;
  const started = before.phase === 'Ready' || before.phase === 'Degraded';
  const replicas = views.flatMap(({ places }) => places.filter((p) => p.declared || p.pods.length > 0));
  const surplus = views.flatMap(({ places }) => places.flatMap((p) => p.surplus));
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
    ...(spec.router ? [toCondition('RouterReady', routerReady === true, 'Ready', 'NotReady')] : []),
  ];
  const status: ModelDeploymentStatus = {
    observedGeneration: metadata.generation ?? 0,
    phase: leaving(deployment) ? 'Deleting' : ready ? 'Ready' : started ? 'Degraded' : 'Starting',
    phaseMessage: refused ?? '',
    endpoint,
    roleSummary: `${spec.router ? `${spec.router.replicas ?? 1}R` : ''}${replicas.length + surplus.length}S`,
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
  const places = views.flatMap((view) => view.places).filter((place) => place.declared);
  const moving = places.some(({ pods }) => pods.length === 0 || pods.some(leaving));
  if (refused) return toCondition('ReplicasUpToDate', false, '', 'RolloutNotObserved', refused);
  if (outdated > 0) {
    return toCondition('ReplicasUpToDate', false, '', 'RolloutInProgress', `${outdated} replicas are not as specified`);
  }
  return toCondition('ReplicasUpToDate', !moving, 'UpToDate', 'ReplacementInProgress');
}

const available = (router: KubeObject | undefined): boolean =>
  ((router?.['status'] as { readyReplicas?: number } | undefined)?.readyReplicas ?? 0) > 0;

function routerStatus(deployment: ModelDeployment, endpoint: string | null) {
  const { router, roles } = deployment.spec;
  const told = roles.map(({ name, kind = 'Server' }) => {
    return { name, kind, selector: pairs(workerSelector(deployment, kind)).join(',') };
  });
  return { name: router?.name ?? '', endpoint: endpoint ?? '', roles: told };
}

function dated(condition: Undated, before: Condition[], generation: number, at: string): Condition {
  const same = before.find((c) => c.type === condition.type && c.status === condition.status);
  return { ...condition, observedGeneration: generation, lastTransitionTime: same?.lastTransitionTime ?? at };
}

/** Whether a status says the same as the one that is stored, so that nothing is written; a retirement is written apart. */
export function sameStatus(stored: ModelDeploymentStatus | undefined, b: ModelDeploymentStatus): boolean {
  const { retirement: _, ...a } = stored ?? {};
  return canonical(a) === canonical(b);
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
