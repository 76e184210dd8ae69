/**
 * Names of the faults that the embedded cluster itself can be told to have, by FAULTS_ANNOTATION of a Namespace. The
 * registry of all faults, which says what each must break, is not here: the cluster knows nothing of requirements.
 */
export const kubeletFaults = {
  /** SIGTERM at once, while the hook still runs. */
  sigtermFirst: 'kubelet-sigterm-first',
  /** SIGKILL 8 documented seconds before the grace is over. */
  killsEarly: 'kubelet-kills-early',
  /** No SIGKILL at the grace: only 10 documented seconds later. */
  neverKills: 'kubelet-never-kills',
  /** The hook starts 4 documented seconds late. */
  lateHook: 'kubelet-late-hook',
  /** SIGTERM comes 4 documented seconds after the hook returned. */
  signalLate: 'kubelet-signal-late',
} as const;

/** Scheduler: what a terminating Pod holds counts as free. */
export const ACCELERATOR_RELEASED_AT_DELETE = 'accelerator-released-at-delete';

/** API server: a refused update is stored anyway. */
export const REFUSED_WRITE_STORED = 'refused-write-stored';

/** The names in the value of FAULTS_ANNOTATION. */
export const parseFaults = (value: string | undefined): ReadonlySet<string> =>
  new Set(
    (value ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  );
