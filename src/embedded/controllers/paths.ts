import type { KubeObject } from '../../cluster/rest.ts';

/** Collections that the controllers watch, over all namespaces. */
export const collections = {
  pods: '/api/v1/pods',
  nodes: '/api/v1/nodes',
  namespaces: '/api/v1/namespaces',
  services: '/api/v1/services',
  endpoints: '/api/v1/endpoints',
  serviceAccounts: '/api/v1/serviceaccounts',
  replicaSets: '/apis/apps/v1/replicasets',
  deployments: '/apis/apps/v1/deployments',
  endpointSlices: '/apis/discovery.k8s.io/v1/endpointslices',
  disruptionBudgets: '/apis/policy/v1/poddisruptionbudgets',
  leases: '/apis/coordination.k8s.io/v1/leases',
  resourceDefinitions: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
} as const;

/** The collection of one namespace, from the one over all namespaces. */
export function inNamespace(collection: string, namespace: string): string {
  const slash = collection.lastIndexOf('/');
  return `${collection.slice(0, slash)}/namespaces/${namespace}${collection.slice(slash)}`;
}

/** The path of one object of a collection. */
export function pathOf(collection: string, object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return `${namespace === undefined ? collection : inNamespace(collection, namespace)}/${name}`;
}
