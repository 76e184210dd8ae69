import type { KubeObject } from '../../cluster/rest.ts';
import type { Seconds } from '../../time/scale.ts';
import { annotations, defaults, labelValues, labels, roleService, routerName } from './names.ts';

export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: object }[];
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  lifecycle?: { preStop?: { exec?: { command: string[] } } };
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
  [field: string]: unknown;
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  nodeName?: string;
  terminationGracePeriodSeconds?: Seconds;
  [field: string]: unknown;
}

/** As far as the operator asks how a container fares. */
export interface ContainerStatus {
  name: string;
  restartCount?: number;
  containerID?: string;
  state?: { running?: object; waiting?: { reason?: string }; terminated?: object };
  lastState?: { terminated?: object };
}

export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: {
    phase?: string;
    podIP?: string;
    containerStatuses?: ContainerStatus[];
    conditions?: { type: string; status: string; reason?: string }[];
    [field: string]: unknown;
  };
}

/** Label selector of every replica of a deployment, or of one role of it; a router's Pods never match. */
export function replicaSelector(deployment: string, role?: string): string {
  const parts = [`${labels.name}=${labelValues.name}`, `${labels.instance}=${deployment}`, labels.ordinal];
  return (role === undefined ? parts : [...parts, `${labels.component}=${role}`]).join(',');
}

/** Path of a collection of Pods that a label selector restricts. */
export const podsPath = (namespace: string, selector: string): string =>
  `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(selector)}`;

/** Service and port through which clients reach a deployment's router. */
export const routerService = (deployment: string): { name: string; port: number } => ({
  name: routerName(deployment),
  port: defaults.routerPort,
});

/** Service through which clients reach a role's replicas without a router. */
export const serviceOfRole = (deployment: string, role: string): string => roleService(deployment, role);

/** Deployment, role and ordinal of a replica's Pod; undefined for any other Pod. */
export function roleOf(pod: KubeObject): { deployment: string; role: string; ordinal: number } | undefined {
  const { labels: found = {} } = pod.metadata;
  const ordinal = found[labels.ordinal];
  if (found[labels.name] !== labelValues.name || ordinal === undefined) return undefined;
  return { deployment: found[labels.instance] ?? '', role: found[labels.component] ?? '', ordinal: Number(ordinal) };
}

export const condition = (pod: KubeObject, type: string): string | undefined =>
  (pod as Pod).status?.conditions?.find((c) => c.type === type)?.status;

/** Ready, and not about to leave. */
export const replicaReady = (pod: KubeObject): boolean =>
  condition(pod, 'Ready') === 'True' && pod.metadata.deletionTimestamp === undefined;

/** `spec.terminationGracePeriodSeconds` of a Pod; undefined where the field is absent. */
export const graceOf = (pod: KubeObject): Seconds | undefined => (pod as Pod).spec.terminationGracePeriodSeconds;

/** The engine's container of a replica's Pod. */
export const engineOf = (pod: KubeObject): Container | undefined =>
  (pod as Pod).spec.containers.find((c) => c.name === defaults.engineContainer);

/** Command of the hook that runs before the engine is signalled; undefined where the Pod has none. */
export const hookOf = (pod: KubeObject): string[] | undefined => engineOf(pod)?.lifecycle?.preStop?.exec?.command;

/** The listener that the scrape annotations name; undefined where they are absent, as on a take-over role. */
export function scrapeOf(pod: KubeObject): { scheme: string; port: number; path: string } | undefined {
  const { annotations: found = {} } = pod.metadata;
  if (found[annotations.scrape] !== 'true') return undefined;
  return {
    scheme: found[annotations.scrapeScheme] ?? 'http',
    port: Number(found[annotations.scrapePort]),
    path: found[annotations.scrapePath] ?? '/metrics',
  };
}
