/**
 * What the process kubelet tells a container's process by its environment. A double reads these; a real program ignores
 * them, apart from `KUBECONFIG`.
 */
export const environment = {
  /** The Pod's own 127.x address: listen here instead of 0.0.0.0, connect here instead of 127.0.0.1. */
  podIP: 'QUIESCE_POD_IP',
  /** The time scale: documented seconds a second of the wall. */
  timeScale: 'QUIESCE_TIME_SCALE',
  /** Names of the faults that are switched on in the Pod's namespace, separated by commas. */
  faults: 'QUIESCE_FAULTS',
  /** Id of the embedded cluster: every process that it starts carries it, so that none can be overlooked. */
  cluster: 'QUIESCE_CLUSTER',
  /** Folder that stands for the container's root: a volume mounted at /x is at $QUIESCE_ROOT/x. */
  root: 'QUIESCE_ROOT',
  /** Number of the file descriptor on which a program writes one byte as its first sign of life. */
  aliveFd: 'QUIESCE_ALIVE_FD',
} as const;

/** Annotation of a Namespace: names of the faults switched on in it, separated by commas. */
export const FAULTS_ANNOTATION = 'quiesce.dev/faults';

/** Annotation of a Namespace: a JSON patch on the schema of CRDs, by plural name, that holds in this namespace alone. */
export const SCHEMA_PATCH_ANNOTATION = 'quiesce.dev/schema-patch';
