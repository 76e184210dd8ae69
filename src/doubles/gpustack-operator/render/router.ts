import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../cluster/rest.ts';
import { annotations, defaults, labels, labelValues, routerName } from '../../../systems/gpustack/names.ts';
import type { ModelDeployment, Router } from '../../../systems/gpustack/types.ts';
import { ownerOf } from './pod.ts';
import { routerConfig, routerPodTemplate } from './router-pod.ts';

/** Collections (below their API group's path) of the objects that make up a router, each named `<md>-router`. */
export const routerCollections: Record<string, (namespace: string) => string> = {
  ServiceAccount: (ns) => `/api/v1/namespaces/${ns}/serviceaccounts`,
  Role: (ns) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/roles`,
  RoleBinding: (ns) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/rolebindings`,
  ConfigMap: (ns) => `/api/v1/namespaces/${ns}/configmaps`,
  Service: (ns) => `/api/v1/namespaces/${ns}/services`,
  Deployment: (ns) => `/apis/apps/v1/namespaces/${ns}/deployments`,
};

/** The router of a deployment: Deployment, Service, ServiceAccount, Role and RoleBinding; a ConfigMap for llm-d. */
export function routerObjects(deployment: ModelDeployment, router: Router): KubeObject[] {
  const { name: instance, namespace = '' } = deployment.metadata;
  const name = routerName(instance);
  const podLabels = { [labels.name]: labelValues.name, [labels.instance]: instance, [labels.router]: router.name };
  const metadata = { name, namespace, labels: podLabels, ownerReferences: [ownerOf(deployment)] };
  const rbac = 'rbac.authorization.k8s.io';
  const template = routerPodTemplate(deployment, router, podLabels);
  const hash = createHash('sha256')
    .update(JSON.stringify([template, router.replicas ?? 1]))
    .digest('hex')
    .slice(0, 16);
  const data = routerConfig(deployment, router);
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...(data ? [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }] : []),
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata,
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        type: 'ClusterIP',
        selector: podLabels,
        ports: [{ name: 'http', port: defaults.routerPort, targetPort: defaults.routerPort, protocol: 'TCP' }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...metadata, annotations: { [annotations.routerHash]: hash } },
      spec: { replicas: router.replicas ?? 1, selector: { matchLabels: podLabels }, template },
    },
  ];
}
