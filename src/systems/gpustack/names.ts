import { routingProxy } from '../../routers/routing-proxy.ts';

/** Group, versions and kinds of the operator's API. Reference: GPUStack operator v0.9.2, `api/worker/v1alpha1`. */
export const api = {
  group: 'worker.gpustack.ai',
  version: 'worker.gpustack.ai/v1alpha1',
  kueue: 'kueue.x-k8s.io/v1beta1',
} as const;

/** Labels that the operator writes on a replica's Pods. */
export const labels = {
  name: 'app.kubernetes.io/name',
  instance: 'app.kubernetes.io/instance',
  component: 'app.kubernetes.io/component',
  partOf: 'app.kubernetes.io/part-of',
  roleKind: 'modeldeployment.gpustack.ai/role-kind',
  /** Ordinal of the replica in its role. */
  ordinal: 'modeldeployment.gpustack.ai/pod-ordinal',
  memberIndex: 'modeldeployment.gpustack.ai/member-index',
  /** On a router's Pods alone: the router's name. */
  router: 'modeldeployment.gpustack.ai/router',
  queue: 'kueue.x-k8s.io/queue-name',
  podGroup: 'kueue.x-k8s.io/pod-group-name',
  /** Comes and goes on a living Pod; its value is `true`. */
  eligible: 'modeldeployment.gpustack.ai/endpoint-eligible',
} as const;

/** Values of {@link labels} that never change. */
export const labelValues = { name: 'model-deployment', partOf: 'gpustack-operator-worker' } as const;

export const annotations = {
  specHash: 'modeldeployment.gpustack.ai/pod-spec-hash',
  routerHash: 'modeldeployment.gpustack.ai/router-config-hash',
  groupTotal: 'kueue.x-k8s.io/pod-group-total-count',
  groupServing: 'kueue.x-k8s.io/pod-group-serving',
  roleHash: 'kueue.x-k8s.io/role-hash',
  /** On a ModelDeployment, by its user: `<role>:<ordinal>:<token>` takes an aborted retirement up again. */
  retirementRetry: 'modeldeployment.gpustack.ai/retirement-retry',
  /** On a ModelDeployment, by the operator: what a retirement is about to release. */
  retirementRelease: 'modeldeployment.gpustack.ai/retirement-release',
  scrape: 'prometheus.io/scrape',
  scrapePath: 'prometheus.io/path',
  scrapePort: 'prometheus.io/port',
  scrapeScheme: 'prometheus.io/scheme',
} as const;

/** Ports and images that the operator uses where nothing else is said. */
export const defaults = {
  servingPort: 8000,
  routerPort: 8081,
  routerMetricsPort: 9090,
  routerImage: 'gpustack/llm-router:v0.1.0',
  envoyImage: 'gpustack/mirrored-envoy:distroless-v1.33.2',
  /** The routing proxy in front of a direct decoder, and the port of the engine behind it. */
  proxyImage: 'gpustack/mirrored-llm-d-router-disagg-sidecar:v0.10.0',
  proxyContainer: routingProxy.container,
  proxiedPort: 8200,
  /** Where a prefill engine is asked for its KV. */
  bootstrapPort: 8998,
  /** Container of the engine in each replica's Pod. */
  engineContainer: 'main',
} as const;

/** Annotation of a Namespace: how many accelerators its replicas may hold at once; absent: as many as they like. */
export const QUOTA_ANNOTATION = 'quiesce.dev/quota';

/** Label of a Namespace whose ModelDeployments an operator of its own serves; the value is `own`. */
export const OWN_OPERATOR_LABEL = 'quiesce.dev/operator';

export const routerName = (deployment: string): string => `${deployment}-router`;
/** Headless Service of one replica of several Pods. */
export const replicaService = (deployment: string, role: string, ordinal: number): string =>
  `${deployment}-${role}-r${ordinal}`;
export const roleService = (deployment: string, role: string): string => `${deployment}-${role}`;

/** Where an API server keeps its CustomResourceDefinitions. */
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
