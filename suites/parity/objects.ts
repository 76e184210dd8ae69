// What the experiments are made of: the smallest objects that do something.
type Fields = Record<string, unknown>;

export const configMap = (name: string, data: Record<string, string> = { a: '1' }, metadata: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

/** Lives until it is asked to end, then ends with 0 at once. */
export const OBEDIENT = ['sh', '-c', 'trap "exit 0" TERM; sleep 1000 & wait'];
/** Does not hear SIGTERM. */
export const STUBBORN = ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done'];
/** Serves the files of tmp/ on port 8080; as pid 1 it does not hear SIGTERM. */
export const HTTPD = ['httpd', '-f', '-p', '8080', '-h', 'tmp'];
/** A shell line that ends by itself. */
export const shell = (line: string) => ['sh', '-c', line];

export const container = (command: string[] | undefined, more: Fields = {}): Fields => ({
  name: 'main',
  image: '{image}',
  ...(command ? { command } : {}),
  ...more,
});

/** A Pod of one container, or of those that `spec` names. No token is mounted and its grace is 5 s. */
export const pod = (name: string, main: Fields = container(OBEDIENT), spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: {
    automountServiceAccountToken: false,
    dnsPolicy: 'Default',
    terminationGracePeriodSeconds: 5,
    containers: [main],
    ...spec,
  },
});

/** A Pod that no scheduler looks at: it stays what the API server made of it. */
export const idle = (name: string, spec: Fields = {}, metadata: Fields = {}) =>
  pod(name, container(undefined), { schedulerName: 'nobody', ...spec }, metadata);

export const template = (app: string, spec: Fields = {}) => ({
  metadata: { labels: { app } },
  spec: {
    automountServiceAccountToken: false,
    dnsPolicy: 'Default',
    terminationGracePeriodSeconds: 5,
    containers: [container(OBEDIENT)],
    ...spec,
  },
});

const workload = (kind: string) => (name: string, spec: Fields, podSpec: Fields) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name, podSpec), ...spec },
});
export const deployment = (name: string, spec: Fields = {}, podSpec: Fields = {}) =>
  workload('Deployment')(name, spec, podSpec);
export const replicaSet = (name: string, spec: Fields = {}, podSpec: Fields = {}) =>
  workload('ReplicaSet')(name, spec, podSpec);

export const service = (name: string, spec: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
});

export const budget = (name: string, spec: Fields) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec,
});

export const eviction = (name: string, more: Fields = {}) => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  ...more,
});

export const DEPLOYMENTS = 'apps/v1:deployments';
export const REPLICASETS = 'apps/v1:replicasets';
export const SLICES = 'discovery.k8s.io/v1:endpointslices';
export const BUDGETS = 'policy/v1:poddisruptionbudgets';
