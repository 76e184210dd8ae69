import type { KubeObject } from '../../cluster/rest.ts';

/** The fields of a Pod that the process kubelet reads; names and meaning as in core/v1. */
export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: { conditions?: Condition[]; phase?: string; qosClass?: string };
}

export interface PodSpec {
  nodeName?: string;
  hostname?: string;
  hostNetwork?: boolean;
  restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  activeDeadlineSeconds?: number;
  terminationGracePeriodSeconds?: number;
  automountServiceAccountToken?: boolean;
  serviceAccountName?: string;
  initContainers?: ContainerSpec[];
  containers: ContainerSpec[];
  volumes?: VolumeSpec[];
  readinessGates?: { conditionType: string }[];
}

export interface ContainerSpec {
  name: string;
  image: string;
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  command?: string[];
  args?: string[];
  workingDir?: string;
  env?: EnvVar[];
  envFrom?: { prefix?: string; configMapRef?: ObjectRef; secretRef?: ObjectRef }[];
  ports?: { name?: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[];
  resources?: { limits?: Record<string, string | number>; requests?: Record<string, string | number> };
  lifecycle?: { postStart?: Handler; preStop?: Handler };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  restartPolicy?: 'Always';
  terminationMessagePath?: string;
  terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
}

export interface ObjectRef {
  name: string;
  optional?: boolean;
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: {
    fieldRef?: { fieldPath: string };
    resourceFieldRef?: { containerName?: string; resource: string; divisor?: string };
    configMapKeyRef?: ObjectRef & { key: string };
    secretKeyRef?: ObjectRef & { key: string };
  };
}

export interface HttpGet {
  path?: string;
  port: number | string;
  host?: string;
  scheme?: string;
  httpHeaders?: { name: string; value: string }[];
}

export interface Handler {
  exec?: { command: string[] };
  httpGet?: HttpGet;
  tcpSocket?: { port: number | string; host?: string };
  sleep?: { seconds: number };
}

export interface Probe extends Handler {
  grpc?: { port: number; service?: string };
  initialDelaySeconds?: number;
  periodSeconds?: number;
  timeoutSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}

export interface KeyToPath {
  key: string;
  path: string;
}

export interface ProjectedSource {
  configMap?: ObjectRef & { items?: KeyToPath[] };
  secret?: ObjectRef & { items?: KeyToPath[] };
  downwardAPI?: { items?: DownwardItem[] };
  serviceAccountToken?: { path: string };
}

export interface DownwardItem {
  path: string;
  fieldRef?: { fieldPath: string };
  resourceFieldRef?: { containerName?: string; resource: string; divisor?: string };
}

export interface VolumeSpec {
  name: string;
  emptyDir?: object;
  hostPath?: { path: string; type?: string };
  configMap?: ObjectRef & { items?: KeyToPath[] };
  secret?: { secretName: string; optional?: boolean; items?: KeyToPath[] };
  downwardAPI?: { items?: DownwardItem[] };
  projected?: { sources?: ProjectedSource[] };
}

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  observedGeneration?: number;
  lastProbeTime?: null;
  lastTransitionTime?: string;
}

export interface Terminated {
  exitCode: number;
  reason: string;
  message?: string;
  startedAt: string | null;
  finishedAt: string;
  containerID?: string;
}

/** State of a container; exactly one member is set. */
export type ContainerState =
  { waiting: { reason: string; message?: string } } | { running: { startedAt: string } } | { terminated: Terminated };

export interface ContainerStatus {
  name: string;
  image: string;
  imageID: string;
  containerID?: string;
  state: ContainerState;
  lastState: ContainerState | Record<string, never>;
  ready: boolean;
  started: boolean;
  restartCount: number;
  resources?: object;
  volumeMounts?: object[];
}

/** `namespace/name`, as the kubelet's log and the container's errors name a Pod. */
export const podName = (pod: Pod): string => `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`;

export const podPath = (pod: Pod): string =>
  `/api/v1/namespaces/${pod.metadata.namespace ?? 'default'}/pods/${pod.metadata.name}`;

/** Seconds that the Pod is given to end where its delete says nothing. Kubernetes' default is 30. */
export const specGrace = (pod: Pod): number => pod.spec.terminationGracePeriodSeconds ?? 30;
