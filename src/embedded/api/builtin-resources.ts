import { ALL_VERBS } from './resources.ts';
import type { Resource } from './resources.ts';

interface Row {
  short?: string;
  sub?: string;
  /** Not in a namespace. */
  cluster?: boolean;
  /** Part of `kubectl get all`. */
  all?: boolean;
  singular?: string;
}

/** Kinds by group and version. Some are only stored: nothing acts on them, but `kubectl` asks for them. */
const table: Record<string, Record<string, [kind: string, row?: Row]>> = {
  v1: {
    bindings: ['Binding'],
    configmaps: ['ConfigMap', { short: 'cm' }],
    endpoints: ['Endpoints', { short: 'ep', singular: 'endpoints' }],
    events: ['Event', { short: 'ev' }],
    limitranges: ['LimitRange', { short: 'limits' }],
    namespaces: ['Namespace', { short: 'ns', sub: 'status finalize', cluster: true }],
    nodes: ['Node', { short: 'no', sub: 'status proxy', cluster: true }],
    persistentvolumeclaims: ['PersistentVolumeClaim', { short: 'pvc', sub: 'status' }],
    persistentvolumes: ['PersistentVolume', { short: 'pv', sub: 'status', cluster: true }],
    pods: ['Pod', { short: 'po', sub: 'status log exec eviction binding ephemeralcontainers', all: true }],
    replicationcontrollers: ['ReplicationController', { short: 'rc', sub: 'status scale', all: true }],
    resourcequotas: ['ResourceQuota', { short: 'quota', sub: 'status' }],
    secrets: ['Secret'],
    serviceaccounts: ['ServiceAccount', { short: 'sa', sub: 'token' }],
    services: ['Service', { short: 'svc', sub: 'status', all: true }],
  },
  'apps/v1': {
    controllerrevisions: ['ControllerRevision'],
    daemonsets: ['DaemonSet', { short: 'ds', sub: 'status', all: true }],
    deployments: ['Deployment', { short: 'deploy', sub: 'status scale', all: true }],
    replicasets: ['ReplicaSet', { short: 'rs', sub: 'status scale', all: true }],
    statefulsets: ['StatefulSet', { short: 'sts', sub: 'status scale', all: true }],
  },
  'events.k8s.io/v1': { events: ['Event', { short: 'ev' }] },
  'authentication.k8s.io/v1': {
    tokenreviews: ['TokenReview', { cluster: true }],
    selfsubjectreviews: ['SelfSubjectReview', { cluster: true }],
  },
  'authorization.k8s.io/v1': {
    selfsubjectaccessreviews: ['SelfSubjectAccessReview', { cluster: true }],
    selfsubjectrulesreviews: ['SelfSubjectRulesReview', { cluster: true }],
    subjectaccessreviews: ['SubjectAccessReview', { cluster: true }],
    localsubjectaccessreviews: ['LocalSubjectAccessReview'],
  },
  'autoscaling/v2': {
    horizontalpodautoscalers: ['HorizontalPodAutoscaler', { short: 'hpa', sub: 'status', all: true }],
  },
  'batch/v1': {
    cronjobs: ['CronJob', { short: 'cj', sub: 'status', all: true }],
    jobs: ['Job', { sub: 'status', all: true }],
  },
  'policy/v1': { poddisruptionbudgets: ['PodDisruptionBudget', { short: 'pdb', sub: 'status' }] },
  'rbac.authorization.k8s.io/v1': {
    clusterrolebindings: ['ClusterRoleBinding', { cluster: true }],
    clusterroles: ['ClusterRole', { cluster: true }],
    rolebindings: ['RoleBinding'],
    roles: ['Role'],
  },
  'apiextensions.k8s.io/v1': {
    customresourcedefinitions: ['CustomResourceDefinition', { short: 'crd crds', sub: 'status', cluster: true }],
  },
  'scheduling.k8s.io/v1': { priorityclasses: ['PriorityClass', { short: 'pc', cluster: true }] },
  'coordination.k8s.io/v1': { leases: ['Lease'] },
  'discovery.k8s.io/v1': { endpointslices: ['EndpointSlice'] },
  'networking.k8s.io/v1': {
    ingresses: ['Ingress', { short: 'ing', sub: 'status', singular: 'ingress' }],
    networkpolicies: ['NetworkPolicy', { short: 'netpol', singular: 'networkpolicy' }],
  },
};

const words = (text = '') => text.split(' ').filter(Boolean);

/** Kinds that can only be created: an answer to a question, never stored. */
const createOnly = (kind: string) => kind.endsWith('Review') || kind === 'Binding';

/** Namespaces go one by one. */
const verbsOf = (kind: string): readonly string[] => {
  if (createOnly(kind)) return ['create'];
  return kind === 'Namespace' ? ALL_VERBS.filter((verb) => verb !== 'deletecollection') : ALL_VERBS;
};

function resource(groupVersion: string, plural: string, kind: string, row: Row): Resource {
  const [first, second] = groupVersion.split('/') as [string, string?];
  const group = second === undefined ? '' : first;
  return {
    group,
    version: second ?? first,
    plural,
    singular: row.singular ?? kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    namespaced: !row.cluster,
    shortNames: words(row.short),
    categories: row.all ? ['all'] : [],
    subresources: words(row.sub),
    verbs: verbsOf(kind),
    // Events of both groups are one store: events.k8s.io is a view of the core ones.
    storage: plural === 'events' || !group ? plural : `${plural}.${group}`,
  };
}

export const builtinResources = (): Resource[] =>
  Object.entries(table).flatMap(([groupVersion, kinds]) =>
    Object.entries(kinds).map(([plural, [kind, row = {}]]) => resource(groupVersion, plural, kind, row)),
  );
