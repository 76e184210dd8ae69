import { isStatus } from '../../cluster/errors.ts';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { api, annotations, labels, labelValues } from '../../systems/gpustack/names.ts';
import type { Condition, ModelDeployment, Role } from '../../systems/gpustack/types.ts';
import { podsPath, roleOf, type Pod } from '../../systems/gpustack/readers.ts';
import { groupOf } from './render/pod.ts';

/** Kueue's record of one replica's quota. */
export interface Workload extends KubeObject {
  status?: { admission?: object | null; conditions?: Condition[] };
}

/** Everything in one namespace that the operator decides by, read at one time: no cache, so no stale decision. */
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

/** Undefined where the namespace is gone. */
export async function readSnapshot(client: KubeClient, ns: string): Promise<Snapshot | undefined> {
  try {
    const [namespace, deployments, pods, workloads, services, routers] = await Promise.all([
      client.get(`/api/v1/namespaces/${ns}`),
      client.list<ModelDeployment>(paths.deployments(ns)),
      client.list<Pod>(podsPath(ns, `${labels.name}=${labelValues.name},${labels.ordinal}`)),
      client.list<Workload>(paths.workloads(ns)),
      client.list(`${paths.services(ns)}?${ours}`),
      client.list(`/apis/apps/v1/namespaces/${ns}/deployments?${ours}`),
    ]);
    return { namespace, deployments, pods, workloads, services, routers };
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

/** One place of a role: what runs there and what it holds. */
export interface Slot {
  ordinal: number;
  /** More than one only while a leaving Pod overlaps its successor, which this operator never causes. */
  pods: Pod[];
  workload?: Workload;
}

/** The slots of a role, lowest ordinal first; `held` are Pods beyond `spec.replicas`. */
export function slotsOf(deployment: ModelDeployment, role: Role, { pods, workloads }: Snapshot) {
  const replicas = role.replicas ?? 1;
  const own = pods.filter(
    (pod) =>
      pod.metadata.ownerReferences?.some((o) => o.uid === deployment.metadata.uid) && roleOf(pod)?.role === role.name,
  );
  const slots = Array.from({ length: replicas }, (_, ordinal): Slot => {
    const name = groupOf(deployment, role.name, ordinal);
    const workload = workloads.find((w) => w.metadata.name === name);
    return {
      ordinal,
      pods: own.filter((pod) => roleOf(pod)?.ordinal === ordinal),
      ...(workload ? { workload } : {}),
    };
  });
  return { slots, held: own.filter((pod) => (roleOf(pod)?.ordinal ?? 0) >= replicas) };
}

export const leaving = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;
export const terminal = (pod: Pod): boolean => ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');
export const hashOf = (pod: Pod): string | undefined => pod.metadata.annotations?.[annotations.specHash];

/** Whether a Workload's condition is True. */
export const holds = (workload: Workload | undefined, type: 'QuotaReserved' | 'Admitted'): boolean =>
  workload?.status?.conditions?.find((c) => c.type === type)?.status === 'True';

/** The present time as the API writes it: whole seconds. */
export const apiTime = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
