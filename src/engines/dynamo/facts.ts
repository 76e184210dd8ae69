/** Names and ports of Dynamo 1.6, as its operator and its programs have them. */
export const dynamoFacts = {
  version: '1.6.1',
  /** Labels that the operator writes on a component's Pods: `deploy/operator/internal/consts`. */
  labels: {
    graph: 'nvidia.com/dynamo-graph-deployment-name',
    component: 'nvidia.com/dynamo-component',
    type: 'nvidia.com/dynamo-component-type',
    namespace: 'nvidia.com/dynamo-namespace',
    selector: 'nvidia.com/selector',
    discoveryBackend: 'nvidia.com/dynamo-discovery-backend',
    discoveryEnabled: 'nvidia.com/dynamo-discovery-enabled',
  },
  ports: { http: 8000, system: 9090 },
  /** The object in which a worker's Pod stands in Kubernetes discovery; it is owned by the Pod. */
  record: { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoWorkerMetadata', plural: 'dynamoworkermetadatas' },
  /** What a person creates, and the operator renders. */
  graph: { apiVersion: 'nvidia.com/v1beta1', kind: 'DynamoGraphDeployment', plural: 'dynamographdeployments' },
  variables: {
    grace: 'DYN_GRACEFUL_SHUTDOWN_GRACE_PERIOD_SECS',
    runtimeTimeout: 'DYN_RUNTIME_GRACEFUL_SHUTDOWN_TIMEOUT_SECS',
    httpTimeout: 'DYN_HTTP_GRACEFUL_SHUTDOWN_TIMEOUT_SECS',
  },
  /** Requests in flight, by the exposition of a frontend and of a worker's system port. */
  gauges: { frontend: 'dynamo_frontend_inflight_requests', worker: 'dynamo_component_inflight_requests' },
} as const;

/**
 * What a worker is served with by its own code, and therefore no argument of a real one says: read by doubles of workers, and by
 * the worker without an engine on the real runtime.
 */
export const workerVariables = {
  /** Names of its endpoints, separated by commas; default `generate`. */
  endpoints: 'QUIESCE_ENDPOINTS',
  /** `False`: its endpoints are served with `graceful_shutdown=False`. */
  graceful: 'QUIESCE_GRACEFUL_SHUTDOWN',
  /** What the shutdown of its engine does: `hangs`, or `raises` an error. */
  engine: 'QUIESCE_ENGINE_SHUTDOWN',
  /** `True`: it serves realtime sessions too. Doubles of a frontend always have them. */
  realtime: 'QUIESCE_REALTIME',
} as const;

/** Where the operator mounts a volume that outlives a container: what a program makes there with `TMPDIR` can still be looked at. */
export const SHARED_MEMORY_FOLDER = '/dev/shm';

/**
 * Environment variable of a frontend that stands for a router which has not heard of a change yet: its double learns nothing
 * more once it knows so many instances. (With real Dynamo it is a frontend on a frozen copy of the discovery folder.)
 */
export const FROZEN_VARIABLE = 'QUIESCE_FROZEN_AT';
