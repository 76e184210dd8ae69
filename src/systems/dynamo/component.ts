import type { KubeObject } from '../../cluster/rest.ts';
import { dynamoFacts as facts, FROZEN_VARIABLE } from '../../engines/dynamo/facts.ts';
import { dynamo } from '../../requirements/dynamo.ts';
import type { ComponentInput, ComponentType, GraphInput } from './types.ts';

const { ports, labels, version } = facts;

/** Images of the release, by type; each has the program that the component's command names. */
const images: Record<ComponentType, string> = {
  frontend: `nvcr.io/nvidia/ai-dynamo/dynamo-frontend:${version}`,
  worker: `nvcr.io/nvidia/ai-dynamo/vllm-runtime:${version}`,
};

const modules: Record<ComponentType, string> = { frontend: 'dynamo.frontend', worker: 'dynamo.vllm' };

/** Name of a component's Deployment and Service: that of its DynamoComponentDeployment. */
export const componentName = (graph: string, component: string): string => `${graph}-${component.toLowerCase()}`;

/** Account under which the operator lets the Pods of a graph write and read the discovery records. */
export const discoveryAccount = (graph: string): string => `${graph}-k8s-service-discovery`;

/** Dynamo namespace of a graph: the Kubernetes namespace and its name. */
const dynamoNamespace = (namespace: string, graph: string): string => `${namespace}-${graph}`;

const get = (path: string, port: string) => ({ httpGet: { path, port } });

/** Probes by type. Source: the operator's `component_frontend.go` and `component_worker.go`; seconds. */
const probes: Record<ComponentType, object> = {
  frontend: {
    livenessProbe: {
      ...get('/live', 'http'),
      initialDelaySeconds: 15,
      periodSeconds: 10,
      timeoutSeconds: 1,
      failureThreshold: 3,
    },
    readinessProbe: {
      ...get('/health', 'http'),
      initialDelaySeconds: 10,
      periodSeconds: 10,
      timeoutSeconds: 3,
      failureThreshold: 3,
    },
  },
  worker: {
    livenessProbe: { ...get('/live', 'system'), periodSeconds: 5, timeoutSeconds: 4, failureThreshold: 1 },
    readinessProbe: { ...get('/health', 'system'), periodSeconds: 10, timeoutSeconds: 4, failureThreshold: 3 },
    startupProbe: { ...get('/live', 'system'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 720 },
  },
};

const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });

function environment(namespace: string, graph: string, { name, type, env = {}, frozenAt }: ComponentInput): object[] {
  const values: Record<string, string> = {
    DYN_NAMESPACE: dynamoNamespace(namespace, graph),
    DYN_COMPONENT: name,
    DYN_DISCOVERY_BACKEND: 'kubernetes',
    DYN_LOGGING_JSONL: '1',
    DYN_LOG: 'debug',
    ...(type === 'frontend'
      ? { DYN_HTTP_PORT: String(ports.http), DYN_NAMESPACE_PREFIX: dynamoNamespace(namespace, graph) }
      : {
          DYN_SYSTEM_ENABLED: 'true',
          DYN_SYSTEM_PORT: String(ports.system),
          DYN_SYSTEM_USE_ENDPOINT_HEALTH_STATUS: '["generate"]',
          DYN_HEALTH_CHECK_ENABLED: 'false',
        }),
    ...(frozenAt === undefined ? {} : { [FROZEN_VARIABLE]: String(frozenAt) }),
    ...env,
  };
  return [
    field('POD_NAME', 'metadata.name'),
    field('POD_NAMESPACE', 'metadata.namespace'),
    field('POD_UID', 'metadata.uid'),
    ...Object.entries(values).map(([key, value]) => ({ name: key, value })),
  ];
}

const labelsOf = (namespace: string, graph: string, { name, type }: ComponentInput): Record<string, string> => ({
  [labels.graph]: graph,
  [labels.component]: name,
  [labels.type]: type,
  [labels.namespace]: dynamoNamespace(namespace, graph),
  [labels.selector]: componentName(graph, name),
  [labels.discoveryBackend]: 'kubernetes',
  [labels.discoveryEnabled]: 'true',
});

/**
 * What the Dynamo operator makes of one component of a graph: its Deployment and its Service. The graph's own object and its
 * DynamoComponentDeployments, which only the operator reads, are left out.
 */
export function componentObjects(
  namespace: string,
  { name: graph }: GraphInput,
  component: ComponentInput,
): KubeObject[] {
  const { type, replicas, extraArgs = [], terminationGracePeriodSeconds = dynamo.podGrace } = component;
  const name = componentName(graph, component.name);
  const own = labelsOf(namespace, graph, component);
  const port = type === 'frontend' ? { name: 'http', port: ports.http } : { name: 'system', port: ports.system };
  const selector = { [labels.selector]: name };
  const main = {
    name: 'main',
    image: images[type],
    command: ['python3', '-m', modules[type]],
    args: [...(type === 'worker' ? ['--model', 'quiesce/tiny'] : []), ...extraArgs],
    env: environment(namespace, graph, component),
    ports: [{ name: port.name, containerPort: port.port, protocol: 'TCP' }],
    ...probes[type],
  };
  const template = {
    metadata: { labels: own },
    spec: {
      serviceAccountName: discoveryAccount(graph),
      restartPolicy: 'Always',
      terminationGracePeriodSeconds,
      containers: [main],
    },
  };
  const metadata = { name, namespace, labels: own };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector, ports: [{ name: port.name, port: port.port, targetPort: port.name }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas, selector: { matchLabels: selector }, template },
    },
  ];
}
