import type { EngineBehaviour } from '../../engines/behaviour.ts';
import type { Serving } from '../../engines/serving.ts';
import type { KubeObject } from '../../cluster/rest.ts';
import type { Seconds } from '../../time/scale.ts';

export const roleKinds = ['Server', 'Prefill', 'Decode'] as const;
export type RoleKind = (typeof roleKinds)[number];

export const routerNames = ['llm-d-router', 'vllm-router', 'sglang-gateway'] as const;
export type RouterName = (typeof routerNames)[number];

/** A role as a scenario states it, plain data. */
export interface RoleInput {
  name: string;
  replicas: number;
  /** Default `Server`. */
  kind?: RoleKind;
  /** Pods of each replica. Default 1. */
  size?: number;
  terminationGracePeriodSeconds?: Seconds;
  /** In place of the engine's own. */
  image?: string;
  extraArgs?: string[];
  /** Makes it a take-over role: the operator runs this and claims nothing of it. */
  command?: string[];
  ports?: { port: number; protocol?: 'TCP' }[];
  env?: Record<string, string>;
  /** `nvidia.com/gpu` of each Pod. Default 1. */
  accelerators?: number;
  /** For a double of an engine; a real engine never reads it. */
  engine?: EngineBehaviour;
}

export interface RouterInput {
  name?: RouterName;
  replicas?: number;
  extraArgs?: string[];
  requestTimeoutSeconds?: Seconds;
}

export interface DeploymentInput {
  name: string;
  namespace: string;
  /** Default `vLLM`. */
  engine?: 'vLLM' | 'SGLang';
  /** Real engines of a cluster. Default: our doubles. */
  serving?: Serving | undefined;
  roles: RoleInput[];
  /** Its name is `vllm-router` unless said otherwise. */
  router?: RouterInput;
  /** Direct transfer of KV between a prefill and a decode role; an empty object takes the operator's defaults. */
  kvTransfer?: { protocol?: string };
  /** Labels of the ModelDeployment itself. */
  labels?: Record<string, string>;
}

/** A role in `spec.roles` of a ModelDeployment, as far as quiesce writes or reads it (generations A to C). */
export interface Role {
  name: string;
  kind?: string;
  replicas?: number;
  size?: number;
  image?: string;
  instanceType?: string;
  acceleratorType?: string;
  resources?: { accelerator?: number };
  command?: string[];
  extraArgs?: string[];
  env?: { name: string; value?: string }[];
  ports?: { port: number; protocol?: string }[];
  terminationGracePeriodSeconds?: Seconds;
}

export interface Router {
  name: string;
  replicas?: number;
  image?: string;
  extraArgs?: string[];
  requestTimeoutSeconds?: Seconds;
}

export interface ModelDeploymentSpec {
  model: { name: string };
  engine: { name: string; image?: string; version?: string };
  roles: Role[];
  router?: Router;
  kvTransfer?: { protocol?: string };
}

export interface RoleStatus {
  name: string;
  kind: string;
  desired: number;
  ready: number;
  quotaReserved: number;
  unmanaged: boolean;
  /** `eligible` is absent while it is not known of every replica; `value` stands only beside `Confirmed`. */
  endpoints?: { eligible?: number | null; serving: { state: string; value?: number } };
}

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  observedGeneration?: number;
  lastTransitionTime: string;
}

/** What an operation of the retirement protocol is at. `Completed` is set and cleared in one pass: nobody ever sees it. */
export const retirementStates = [
  'Admitted',
  'Disqualified',
  'Withdrawing',
  'Draining',
  'Deleting',
  'Settling',
  'Aborted',
] as const;
export type RetirementState = (typeof retirementStates)[number];

/** `status.retirement`: the one operation of a deployment. */
export interface Retirement {
  roleName: string;
  replicaOrdinal: number;
  observedGeneration: number;
  targetMemberUIDs: string[];
  /** Absent where the target has no Workload that is its alone, as a surplus member has none. */
  targetWorkloadUID?: string;
  state: RetirementState;
  reason: string;
  /** RFC 3339; so are the others. */
  startedAt: string;
  deadline: string;
  phaseStartedAt: string;
  lastConsumedRetryToken?: string;
}

export interface ModelDeploymentStatus {
  observedGeneration?: number;
  phase?: 'Starting' | 'Ready' | 'Degraded' | 'Deleting';
  phaseMessage?: string;
  endpoint?: string | null;
  roleSummary?: string;
  roles?: RoleStatus[];
  router?: { name: string; endpoint: string; roles: { name: string; kind: string; selector: string }[] } | null;
  conditions?: Condition[];
  retirement?: Retirement | null;
}

export interface ModelDeployment extends KubeObject {
  spec: ModelDeploymentSpec;
  status?: ModelDeploymentStatus;
}
