import type { KubeObject } from '../../cluster/rest.ts';
import { dynamoFacts as facts } from '../../engines/dynamo/facts.ts';
import { componentObjects, discoveryAccount, mainOf } from './component.ts';
import type { GraphInput } from './types.ts';

/** Everything that the Dynamo operator makes of a graph, in the order in which it can be created. */
export const graphObjects = (namespace: string, graph: GraphInput): KubeObject[] => [
  ...accountObjects(namespace, graph.name),
  ...graph.components.flatMap((component) => componentObjects(namespace, graph, component)),
];

/** The graph as a person writes it: of each component only what it does not leave to the operator. */
export const graphDeployment = (namespace: string, { name, components }: GraphInput): KubeObject => ({
  apiVersion: facts.graph.apiVersion,
  kind: facts.graph.kind,
  metadata: { name, namespace },
  spec: {
    backendFramework: 'vllm',
    components: components.map((component) => {
      const { type, replicas, env = {}, terminationGracePeriodSeconds: grace } = component;
      const { image, command, args } = mainOf(namespace, name, component);
      const variables = Object.entries(env).map(([key, value]) => ({ name: key, value }));
      const main = { name: 'main', image, command, args, env: variables };
      const spec = { containers: [main], ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }) };
      return { name: component.name, type, replicas, podTemplate: { spec } };
    }),
  },
});

/** The account of a graph's Pods, with the rights that Kubernetes discovery needs. */
function accountObjects(namespace: string, graph: string): KubeObject[] {
  const name = discoveryAccount(graph);
  const metadata = { name, namespace };
  const rbac = 'rbac.authorization.k8s.io';
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata,
      rules: [
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['get', 'list', 'watch'] },
        {
          apiGroups: ['nvidia.com'],
          resources: [facts.record.plural],
          verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
        },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}
