import { createHash } from 'node:crypto';
import { api, annotations, labels, labelValues, replicaService } from '../../../systems/gpustack/names.ts';
import type { PodSpec } from '../../../systems/gpustack/readers.ts';
import type { KubeObject, OwnerReference } from '../../../cluster/rest.ts';
import type { ModelDeployment, Role } from '../../../systems/gpustack/types.ts';
import type { Release } from '../../../systems/gpustack/operator.ts';
import type { Faults } from '../faults.ts';
import { engineContainer, graceOfRole, isTakeOver, type Place } from './container.ts';
import { fnv64 } from './fnv.ts';
import { enginePortOf, listenerOf } from './port.ts';
import { withProxy } from './proxy.ts';

/** What decides how a replica is rendered, beside the ModelDeployment itself. */
export interface Rendering {
  release: Release;
  faults: Faults;
  /** Whether the cluster has native sidecars: Kubernetes 1.29 or newer. Default: it has. */
  nativeSidecars?: boolean;
}

/** One member of a replica. The name of an only member is left to the API server, those of several are fixed. */
export function replicaPod(
  deployment: ModelDeployment,
  role: Role,
  ordinal: number,
  how: Rendering,
  seat = 0,
): KubeObject {
  const pod = bare(deployment, role, { ordinal, seat }, how);
  const hash = specHash(deployment, role, ordinal, how, seat);
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, [annotations.specHash]: hash } },
  };
}

/** Hash over labels, annotations and PodSpec as rendered: a replica whose Pod carries another one is turned over. */
export function specHash(deployment: ModelDeployment, role: Role, ordinal: number, how: Rendering, seat = 0): string {
  const { faults } = how;
  const hashed = faults.has('grace-edit-ignored') ? { ...role, terminationGracePeriodSeconds: 30 } : role;
  const { metadata, spec } = bare(deployment, hashed, { ordinal, seat }, how);
  const extra = faults.has('grace-edit-all-roles')
    ? deployment.spec.roles.map((r) => r.terminationGracePeriodSeconds ?? 30)
    : [];
  const text = JSON.stringify([metadata.labels, metadata.annotations, spec, ...extra]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function bare(deployment: ModelDeployment, role: Role, place: Place, how: Rendering): KubeObject {
  const { name, namespace = '' } = deployment.metadata;
  const { ordinal, seat } = place;
  const group = (role.size ?? 1) > 1;
  const member = `${replicaService(name, role.name, ordinal)}-m${seat}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: group ? member : '',
      ...(group ? {} : { generateName: `${name}-${role.name}-` }),
      namespace,
      labels: {
        ...roleLabels(name, role),
        [labels.ordinal]: String(ordinal),
        [labels.memberIndex]: String(seat),
        [labels.queue]: queueOf(role),
        [labels.podGroup]: groupOf(deployment, role.name, ordinal),
      },
      annotations: podAnnotations(deployment, role, how.faults),
      ownerReferences: [ownerOf(deployment)],
    },
    spec: {
      ...podSpec(deployment, role, place, how),
      ...(group ? { hostname: member, subdomain: replicaService(name, role.name, ordinal) } : {}),
    },
  };
}

/** Labels that every Pod of a role carries, and by which its Service selects. */
export const roleLabels = (deployment: string, role: Role): Record<string, string> => ({
  [labels.name]: labelValues.name,
  [labels.instance]: deployment,
  [labels.component]: role.name,
  [labels.partOf]: labelValues.partOf,
  [labels.roleKind]: (role.kind ?? 'Server').toLowerCase(),
});

function podAnnotations({ spec }: ModelDeployment, role: Role, faults: Faults): Record<string, string> {
  const { scheme } = listenerOf(role);
  const given = role.terminationGracePeriodSeconds !== undefined && faults.has('same-value-turns-over');
  return {
    [annotations.groupTotal]: String(role.size ?? 1),
    [annotations.roleHash]: role.name,
    [annotations.groupServing]: 'true',
    ...(given ? { 'modeldeployment.gpustack.ai/grace-source': 'role' } : {}),
    ...(isTakeOver(role)
      ? {}
      : {
          [annotations.scrape]: 'true',
          [annotations.scrapePath]: '/metrics',
          [annotations.scrapePort]: String(enginePortOf(spec, role)),
          [annotations.scrapeScheme]: scheme,
        }),
  };
}

function podSpec(deployment: ModelDeployment, role: Role, place: Place, how: Rendering): PodSpec {
  const { release, faults, nativeSidecars = true } = how;
  const drains = release !== 'before-drain-window';
  const grace = graceOfRole(role, drains, faults);
  const pod: PodSpec = {
    restartPolicy: 'Always',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
    containers: [engineContainer(deployment, role, place, drains, faults)],
  };
  return withProxy(deployment, role, pod, nativeSidecars, faults);
}

/** Kueue's LocalQueue of a role's instance type: what `InstanceType.status.entrance` would name. */
export const queueOf = (role: Role): string =>
  `gpustack-fnv64-${fnv64(role.instanceType ?? role.acceleratorType ?? '')}`;

/** Name of a replica's Pod group, and of its Workload. */
export const groupOf = (deployment: ModelDeployment, role: string, ordinal: number): string =>
  `gpustack-fnv64-${fnv64([deployment.metadata.uid, role, ordinal].join('/'))}`;

export const ownerOf = ({ metadata: { name, uid = '' } }: KubeObject): OwnerReference => ({
  apiVersion: api.version,
  kind: 'ModelDeployment',
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
