import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../cluster/rest.ts';
import { annotations, defaults, labels, labelValues, routerName } from '../../../systems/gpustack/names.ts';
import type { ModelDeployment, Router } from '../../../systems/gpustack/types.ts';
import { ownerOf } from './pod.ts';
import { listenerOf } from './port.ts';

/** The router that this double knows how to deploy. */
export const SUPPORTED_ROUTER = 'vllm-router';

/** Label selector by which the router finds the replicas: those of Server roles; its own Pods have no role kind. */
export const workerSelector = (deployment: string): Record<string, string> => ({
  [labels.name]: labelValues.name,
  [labels.instance]: deployment,
  [labels.roleKind]: 'server',
});

/** Collections (below their API group's path) of the objects that make up a router, each named `<md>-router`. */
export const routerCollections: Record<string, (namespace: string) => string> = {
  ServiceAccount: (ns) => `/api/v1/namespaces/${ns}/serviceaccounts`,
  Role: (ns) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/roles`,
  RoleBinding: (ns) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/rolebindings`,
  Service: (ns) => `/api/v1/namespaces/${ns}/services`,
  Deployment: (ns) => `/apis/apps/v1/namespaces/${ns}/deployments`,
};

/** The router of a deployment: Deployment, Service, ServiceAccount, Role and RoleBinding. */
export function routerObjects(deployment: ModelDeployment, router: Router): KubeObject[] {
  const { name: instance, namespace = '' } = deployment.metadata;
  const name = routerName(instance);
  const podLabels = { [labels.name]: labelValues.name, [labels.instance]: instance, [labels.router]: router.name };
  const metadata = { name, namespace, labels: podLabels, ownerReferences: [ownerOf(deployment)] };
  const rbac = 'rbac.authorization.k8s.io';
  const template = podTemplate(deployment, router, podLabels);
  const hash = createHash('sha256')
    .update(JSON.stringify([template, router.replicas ?? 1]))
    .digest('hex')
    .slice(0, 16);
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
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

/** A router's Pod has no preStop and no grace of its own. It keeps its token: it finds the replicas by the API. */
function podTemplate(deployment: ModelDeployment, router: Router, podLabels: Record<string, string>): object {
  const command = routerCommand(deployment, router);
  const hash = createHash('sha256').update(JSON.stringify(command)).digest('hex').slice(0, 16);
  return {
    metadata: { labels: podLabels, annotations: { [annotations.routerHash]: hash } },
    spec: {
      serviceAccountName: routerName(deployment.metadata.name),
      enableServiceLinks: false,
      containers: [
        {
          name: 'router',
          image: router.image ?? defaults.routerImage,
          command,
          ports: [
            { name: 'http', containerPort: defaults.routerPort, protocol: 'TCP' },
            { name: 'metrics', containerPort: defaults.routerMetricsPort, protocol: 'TCP' },
          ],
          readinessProbe: { tcpSocket: { port: defaults.routerPort }, periodSeconds: 10, timeoutSeconds: 3 },
        },
      ],
    },
  };
}

function routerCommand(deployment: ModelDeployment, router: Router): string[] {
  const { name, namespace = '' } = deployment.metadata;
  const [first] = deployment.spec.roles;
  const port = first ? listenerOf(first).port : defaults.servingPort;
  const timeout = router.requestTimeoutSeconds;
  return [
    SUPPORTED_ROUTER,
    '--host=0.0.0.0',
    `--port=${defaults.routerPort}`,
    '--prometheus-host=0.0.0.0',
    `--prometheus-port=${defaults.routerMetricsPort}`,
    ...(timeout === undefined ? [] : [`--request-timeout-secs=${timeout}`]),
    '--service-discovery',
    `--service-discovery-namespace=${namespace}`,
    `--service-discovery-port=${port}`,
    '--selector',
    ...Object.entries(workerSelector(name)).map(([key, value]) => `${key}=${value}`),
    ...(router.extraArgs ?? []),
  ];
}
