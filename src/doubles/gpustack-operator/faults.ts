/** Names of the faults that this double implements; what each one does stands in the registry of all faults. */
export const operatorFaults = [
  'hook-missing',
  'grace-not-written',
  'unset-grace-is-15',
  'rollout-deletes-with-no-grace',
  'rollout-two-at-once',
  'rollout-early-next',
  'grace-edit-new-grace',
  'grace-edit-all-roles',
  'grace-edit-ignored',
  'same-value-turns-over',
  'upgrade-turns-twice',
  'takeover-gets-hook',
  'takeover-drops-grace',
  'takeover-default-grace-written',
  'moved-port-followed',
  'quota-released-at-delete',
] as const;
export type OperatorFault = (typeof operatorFaults)[number];

/** The faults that are switched on. */
export type Faults = { has(name: OperatorFault): boolean };
