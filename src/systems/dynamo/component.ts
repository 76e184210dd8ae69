import type { KubeObject } from '../../cluster/rest.ts';
import { dynamoFacts as facts, FROZEN_VARIABLE, SHARED_MEMORY_FOLDER } from '../../engines/dynamo/facts.ts';
import { backends, ROUTER_MODULE } from '../../engines/dynamo/backends.ts';
import { DOUBLES_MODEL } from '../../engines/serving.ts';
import { dynamo } from '../../requirements/dynamo.ts';
import type { ComponentInput, GraphInput } from './types.ts';

const { ports, labels, version } = facts;

/** Image of the release and Python module that a component runs. */
function programOf({ type, runs = 'vLLM' }: ComponentInput): { image: string; module: string } {
  const named = (image: string) => `nvcr.io/nvidia/ai-dynamo/${image}:${version}`;
  if (type === 'frontend') return { image: named('dynamo-frontend'), module: 'dynamo.frontend' };
  if (runs === 'router') return { image: named(backends.vLLM.image), module: ROUTER_MODULE };
  return { image: named(backends[runs].image), module: backends[runs].module };
}

/** What the component's command says beyond its module. */
function argsOf(
  dynamoNamespace: string,
  { type, runs, model = DOUBLES_MODEL, extraArgs = [] }: ComponentInput,
): string[] {
  if (type === 'frontend') return extraArgs;
  if (runs === 'router') return ['--endpoint', `${dynamoNamespace}.backend.generate`, ...extraArgs];
  const mode = type === 'worker' ? [] : ['--disaggregation-mode', type];
  return ['--model', model, ...mode, ...extraArgs];
}

/** The program of a component's container, as the graph names it. */
export function mainOf(
  namespace: string,
  graph: string,
  component: ComponentInput,
): { image: string; command: string[]; args: string[] } {
  const { image, module } = programOf(component);
  const args = argsOf(dynamoNamespace(namespace, graph), component);
  return { image, command: ['python3', '-m', module], args };
}

/** Shared memory of the engine's processes, which the operator mounts into every worker. */
const SHARED_MEMORY = { name: 'shared-memory', mountPath: SHARED_MEMORY_FOLDER };

/** Name of a component's Deployment and Service: that of its DynamoComponentDeployment. */
export const componentName = (graph: string, component: string): string => `${graph}-${component.toLowerCase()}`;

/** Account under which the operator lets the Pods of a graph write and read the discovery records. */
export const discoveryAccount = (graph: string): string => `${graph}-k8s-service-discovery`;

/** Dynamo namespace of a graph: the Kubernetes namespace and its name. */
const dynamoNamespace = (namespace: string, graph: string): string => `${namespace}-${graph}`;

const get = (path: string, port: string) => ({ httpGet: { path, port } });

/** Probes by type. Source: the operator's `component_frontend.go` and `component_worker.go`; seconds. */
const probes: Record<'frontend' | 'worker', object> = {
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
  const { type, replicas, terminationGracePeriodSeconds = dynamo.podGrace } = component;
  const serves = type !== 'frontend';
  const name = componentName(graph, component.name);
  const own = labelsOf(namespace, graph, component);
  const port = type === 'frontend' ? { name: 'http', port: ports.http } : { name: 'system', port: ports.system };
  const selector = { [labels.selector]: name };
  const main = {
    name: 'main',
    ...mainOf(namespace, graph, component),
    env: environment(namespace, graph, component),
    ports: [{ name: port.name, containerPort: port.port, protocol: 'TCP' }],
    ...probes[serves ? 'worker' : 'frontend'],
    ...(serves ? { volumeMounts: [SHARED_MEMORY] } : {}),
  };
  const template = {
    metadata: { labels: own },
    spec: {
      serviceAccountName: discoveryAccount(graph),
      restartPolicy: 'Always',
      terminationGracePeriodSeconds,
      containers: [main],
      ...(serves ? { volumes: [{ name: SHARED_MEMORY.name, emptyDir: { medium: 'Memory', sizeLimit: '8Gi' } }] } : {}),
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
