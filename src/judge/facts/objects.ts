import { dynamoFacts } from '../../engines/dynamo/facts.ts';

/** The fields of Kubernetes objects that judges read. */
export interface ObjectFields {
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: { kind?: string; uid?: string }[];
  };
  status?: { conditions?: Condition[] };
}

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  lastTransitionTime?: string;
}

export interface ContainerState {
  running?: object;
  terminated?: { exitCode: number; finishedAt?: string; reason?: string };
}

export interface ContainerStatus {
  name: string;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface ContainerFields {
  name: string;
  command?: string[];
  args?: string[];
  livenessProbe?: { periodSeconds?: number; failureThreshold?: number };
  env?: { name: string; value?: string }[];
  lifecycle?: { preStop?: unknown };
  ports?: { containerPort: number }[];
}

export interface PodFields extends ObjectFields {
  spec: {
    nodeName?: string;
    terminationGracePeriodSeconds?: number;
    containers: ContainerFields[];
    initContainers?: (ContainerFields & { restartPolicy?: string })[];
  };
  status?: {
    conditions?: Condition[];
    phase?: string;
    podIP?: string;
    startTime?: string;
    containerStatuses?: ContainerStatus[];
  };
}

/** A core/v1 Event. */
export interface KubeEventFields extends ObjectFields {
  reason?: string;
  message?: string;
  involvedObject?: { kind?: string; uid?: string; name?: string; fieldPath?: string };
}

export const condition = (object: ObjectFields, type: string): Condition | undefined =>
  object.status?.conditions?.find((c) => c.type === type);

export const mainOf = (pod: PodFields) => pod.spec.containers.find((c) => c.name === 'main') ?? pod.spec.containers[0];

/** How the container `main` ended, where the Pod's status says it did. */
export function endOfMain(pod: PodFields): { exitCode: number; finishedAt?: string } | undefined {
  const status = pod.status?.containerStatuses?.find((c) => c.name === 'main') ?? pod.status?.containerStatuses?.[0];
  return status?.state?.terminated ?? status?.lastState?.terminated;
}

/** A resourceVersion as a number: one store numbers all its writes, so of two the higher came later. */
export const versionOf = (object: ObjectFields): number => Number(object.metadata.resourceVersion ?? Number.NaN);

/** The deployment that a Pod belongs to, and its role: the graph and its component, for Dynamo. */
export const placeOf = (own: Record<string, string>): { deployment: string; role: string } => ({
  deployment: own[labels.deployment] ?? own[dynamoFacts.labels.graph] ?? '',
  role: own[labels.role] ?? own[dynamoFacts.labels.component] ?? '',
});

export const labels = {
  deployment: 'app.kubernetes.io/instance',
  role: 'app.kubernetes.io/component',
  memberIndex: 'modeldeployment.gpustack.ai/member-index',
  podGroup: 'kueue.x-k8s.io/pod-group-name',
  eligible: 'modeldeployment.gpustack.ai/endpoint-eligible',
  specHash: 'modeldeployment.gpustack.ai/pod-spec-hash',
} as const;

/** Annotation of every member of a replica: how many they are. */
const GROUP_TOTAL = 'kueue.x-k8s.io/pod-group-total-count';

/** Which member of its replica a Pod is, and of how many; the leader has seat 0. */
export const placeIn = ({ metadata }: ObjectFields): { group: string | undefined; seat: number; total: number } => ({
  group: metadata.labels?.[labels.podGroup],
  seat: Number(metadata.labels?.[labels.memberIndex] ?? 0),
  total: Number(metadata.annotations?.[GROUP_TOTAL] ?? 1),
});
