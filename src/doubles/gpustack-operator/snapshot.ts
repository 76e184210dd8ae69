import type { KubeObject } from '../../cluster/rest.ts';
import { api, annotations, labels, labelValues } from '../../systems/gpustack/names.ts';
import type { Condition, ModelDeployment, Role } from '../../systems/gpustack/types.ts';
import { podsPath, roleOf, type Pod } from '../../systems/gpustack/readers.ts';
import { groupOf } from './render/pod.ts';

/** Kueue's record of one replica's quota. */
export interface Workload extends KubeObject {
  status?: { admission?: object | null; conditions?: Condition[] };
}

/** Everything in one namespace that the operator decides by. */
export interface Snapshot {
  namespace: KubeObject;
  deployments: ModelDeployment[];
  /** Pods of replicas, leaving ones included. */
  pods: Pod[];
  workloads: Workload[];
  services: KubeObject[];
  /** Deployments of routers. */
  routers: KubeObject[];
}

export const paths = {
  deployments: (ns: string) => `/apis/${api.version}/namespaces/${ns}/modeldeployments`,
  pods: (ns: string) => `/api/v1/namespaces/${ns}/pods`,
  workloads: (ns: string) => `/apis/${api.kueue}/namespaces/${ns}/workloads`,
  services: (ns: string) => `/api/v1/namespaces/${ns}/services`,
};

const ours = `labelSelector=${encodeURIComponent(`${labels.name}=${labelValues.name}`)}`;

/** Where each part of a snapshot is read. */
export const readable = {
  deployments: paths.deployments,
  pods: (ns: string) => podsPath(ns, `${labels.name}=${labelValues.name},${labels.ordinal}`),
  workloads: paths.workloads,
  services: (ns: string) => `${paths.services(ns)}?${ours}`,
  routers: (ns: string) => `/apis/apps/v1/namespaces/${ns}/deployments?${ours}`,
} as const;
export type Kind = keyof typeof readable;

/** The part of a snapshot in which the object of a path stands. */
export const kindOf = (path: string, ns: string): Kind | undefined =>
  (Object.keys(readable) as Kind[]).find((kind) => path.startsWith(readable[kind](ns).split('?')[0] ?? ''));

/** One place of a role: what runs there and what it holds. */
export interface Place {
  role: string;
  ordinal: number;
  /** Whether the spec asks for a replica here. */
  declared: boolean;
  /** Members that the place is for, lowest seat first; a leaving Pod keeps its seat until it is gone. */
  pods: Pod[];
  /** Members beyond the size at which the replica was built. */
  surplus: Pod[];
  workload?: Workload;
}

/** A place that the spec asks for, with the number of Pods that it asks for there. */
export interface Slot extends Place {
  size: number;
}

/** Every place of a deployment: those that the spec asks for, and those that something is still in; roles in order. */
export function placesOf(deployment: ModelDeployment, { pods, workloads }: Snapshot): Place[] {
  const own = pods.filter((pod) => pod.metadata.ownerReferences?.some((o) => o.uid === deployment.metadata.uid));
  const ours = workloads.filter((w) => w.metadata.labels?.[labels.instance] === deployment.metadata.name);
  const declared = new Map(deployment.spec.roles.map((role) => [role.name, role.replicas ?? 1]));
  const roles = new Set([
    ...declared.keys(),
    ...own.map((pod) => roleOf(pod)?.role ?? ''),
    ...ours.map((w) => w.metadata.labels?.[labels.component] ?? ''),
  ]);
  return [...roles].flatMap((role) => {
    const name = (ordinal: number) => groupOf(deployment, role, ordinal);
    const members = own.filter((pod) => roleOf(pod)?.role === role);
    const replicas = declared.get(role) ?? 0;
    const ordinals = new Set([
      ...Array.from({ length: replicas }, (_, n) => n),
      ...members.map((pod) => roleOf(pod)?.ordinal ?? 0),
      ...ours
        .filter((w) => w.metadata.labels?.[labels.component] === role)
        .map((w) => Number(w.metadata.labels?.[labels.ordinal])),
    ]);
    return [...ordinals]
      .sort((a, b) => a - b)
      .map((ordinal): Place => {
        const workload = workloads.find((w) => w.metadata.name === name(ordinal));
        const here = members.filter((pod) => roleOf(pod)?.ordinal === ordinal);
        return {
          role,
          ordinal,
          declared: ordinal < replicas,
          ...seated(here, workload),
          ...(workload ? { workload } : {}),
        };
      });
  });
}

/** The places that the spec asks of one role, lowest ordinal first. */
export const slotsOf = (deployment: ModelDeployment, role: Role, snapshot: Snapshot): Slot[] =>
  placesOf(deployment, snapshot)
    .filter((place) => place.role === role.name && place.declared)
    .map((place) => ({ ...place, size: role.size ?? 1 }));

/** Parts the Pods of a place into its members and the surplus: those bound to its Workload first, then the oldest. */
function seated(pods: Pod[], workload: Workload | undefined): { pods: Pod[]; surplus: Pod[] } {
  const bound = (pod: Pod) => Number(workload?.metadata.ownerReferences?.some((o) => o.uid === pod.metadata.uid));
  const age = (pod: Pod) => pod.metadata.creationTimestamp ?? '';
  const order = [...pods].sort(
    (a, b) => bound(b) - bound(a) || age(a).localeCompare(age(b)) || a.metadata.name.localeCompare(b.metadata.name),
  );
  const size = Math.max(1, Number(order[0]?.metadata.annotations?.[annotations.groupTotal] ?? 1) || 1);
  const seat = (pod: Pod) => Number(pod.metadata.labels?.[labels.memberIndex] ?? 0);
  return { pods: order.slice(0, size).sort((a, b) => seat(a) - seat(b)), surplus: order.slice(size) };
}

export const leaving = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;
export const terminal = (pod: Pod): boolean => ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');
export const hashOf = (pod: Pod): string | undefined => pod.metadata.annotations?.[annotations.specHash];

/** Whether a Workload's condition is True. */
export const holds = (workload: Workload | undefined, type: 'QuotaReserved' | 'Admitted'): boolean =>
  workload?.status?.conditions?.find((c) => c.type === type)?.status === 'True';

/** The present time as the API writes it: whole seconds. */
export const apiTime = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
