/** Label of every object that a run of quiesce owns; its value is the run's id. */
export const OWNED_LABEL = 'quiesce.dev/run';

/** Name of the Lease in each namespace of a run by which the run is seen to be alive; its holder is the run. */
export const RUN_LEASE = 'quiesce-run';

/** What the name of each namespace of a run begins with. */
export const NAMESPACE_PREFIX = 'q-';
