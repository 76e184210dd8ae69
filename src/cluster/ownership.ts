/** Label of every object that a run of quiesce owns; its value is the run's id. */
export const OWNED_LABEL = 'quiesce.dev/run';

/** Annotation of a namespace that a run owns: until when (RFC 3339) the run is sure to be alive, unless renewed. */
export const LEASE_ANNOTATION = 'quiesce.dev/lease-until';
