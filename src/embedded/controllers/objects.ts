import type { KubeObject, OwnerReference } from '../../cluster/rest.ts';

/** The fields of core objects that the controllers read. */

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
  observedGeneration?: number;
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

export interface Container {
  name: string;
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  restartPolicy?: string;
}

export interface NodeSelectorTerm {
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
  matchFields?: { key: string; operator: string; values?: string[] }[];
}

export interface PodSpec {
  nodeName?: string;
  schedulerName?: string;
  schedulingGates?: { name: string }[];
  nodeSelector?: Record<string, string>;
  affinity?: {
    nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTerm[] } };
  };
  tolerations?: Toleration[];
  priority?: number;
  preemptionPolicy?: string;
  containers: Container[];
  initContainers?: Container[];
  overhead?: Record<string, string>;
  hostname?: string;
  subdomain?: string;
}

export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: {
    phase?: string;
    podIP?: string;
    conditions?: Condition[];
    nominatedNodeName?: string;
    startTime?: string;
    containerStatuses?: { restartCount?: number }[];
  };
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: Taint[] };
  status?: { capacity?: Record<string, string>; allocatable?: Record<string, string>; conditions?: Condition[] };
}

export interface ServicePort {
  name?: string;
  port: number;
  protocol?: string;
  targetPort?: number | string;
  appProtocol?: string;
}

export interface Service extends KubeObject {
  spec: {
    type?: string;
    clusterIP?: string;
    selector?: Record<string, string>;
    ports?: ServicePort[];
    publishNotReadyAddresses?: boolean;
  };
}

export interface Endpoint {
  addresses: string[];
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
  nodeName?: string;
  targetRef?: { kind: string; namespace?: string; name: string; uid?: string };
}

export interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints: Endpoint[] | null;
  ports: { name?: string; port: number; protocol?: string; appProtocol?: string }[] | null;
}

/** `Succeeded` and `Failed`: nothing of the Pod runs any more, and what it held is free. */
export const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export const isTerminating = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;

export const condition = (conditions: Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((c) => c.type === type);

export const isReady = (pod: Pod): boolean => condition(pod.status?.conditions, 'Ready')?.status === 'True';

/** Controllers' meaning of active: neither ended nor leaving. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !isTerminating(pod);

export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((owner) => owner.controller);

/** `namespace/name`, or `/name` where there is no namespace: the key that informers and queues use. */
export const keyOf = (object: KubeObject): string => `${object.metadata.namespace ?? ''}/${object.metadata.name}`;

/** The present time as the API writes it: whole seconds. */
export const timestamp = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
