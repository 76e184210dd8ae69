import type { KubeObject } from '../../cluster/rest.ts';
import { backendOf, ROUTER_MODULE } from '../../engines/dynamo/backends.ts';
import { dynamoFacts as facts } from '../../engines/dynamo/facts.ts';
import type { ComponentInput, ComponentType, GraphInput } from './types.ts';

const NAME = 'dynamo-operator-controller-manager';

const rules = [
  { apiGroups: ['nvidia.com'], resources: [facts.graph.plural], verbs: ['get', 'list', 'watch'] },
  // It hands on the rights that the Pods of a graph need.
  {
    apiGroups: ['nvidia.com'],
    resources: [facts.record.plural],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['services', 'serviceaccounts'], verbs: ['create'] },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create'] },
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['create'] },
];

/** The operator's double for one namespace alone, with the rights that it needs there. */
export function dynamoOperatorObjects(namespace: string): KubeObject[] {
  const rbac = 'rbac.authorization.k8s.io';
  const metadata = { name: NAME, namespace };
  const labels = { 'app.kubernetes.io/name': 'dynamo-operator' };
  const container = {
    name: 'manager',
    image: `nvcr.io/nvidia/ai-dynamo/kubernetes-operator:${facts.version}`,
    env: [{ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
  };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name: NAME },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { serviceAccountName: NAME, terminationGracePeriodSeconds: 10, containers: [container] },
        },
      },
    },
  ];
}

interface Component {
  name: string;
  type: ComponentType;
  replicas?: number;
  podTemplate?: {
    spec?: {
      terminationGracePeriodSeconds?: number;
      containers?: { name: string; command?: string[]; args?: string[]; env?: { name: string; value?: string }[] }[];
    };
  };
}

/** What a graph asks for; of `args` that which the renderer writes itself is left out. */
export function readGraph({ metadata: { name }, ...rest }: KubeObject): GraphInput {
  const { components = [] } = (rest['spec'] ?? {}) as { components?: Component[] };
  return { name, components: components.map(readComponent) };
}

const OWN_FLAGS = new Set(['--model', '--disaggregation-mode', '--endpoint']);

function readComponent({ name, type, replicas = 1, podTemplate }: Component): ComponentInput {
  const { containers = [], terminationGracePeriodSeconds: grace } = podTemplate?.spec ?? {};
  const { command = [], args = [], env = [] } = containers.find((one) => one.name === 'main') ?? {};
  const runs = command.includes(ROUTER_MODULE) ? 'router' : backendOf(command);
  const extraArgs = args.filter((word, i) => !OWN_FLAGS.has(word) && !OWN_FLAGS.has(args[i - 1] ?? ''));
  return {
    name,
    type,
    replicas,
    extraArgs,
    env: Object.fromEntries(env.map((variable) => [variable.name, variable.value ?? ''])),
    ...(runs === undefined ? {} : { runs }),
    ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
  };
}
