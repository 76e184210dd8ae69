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

/** Faults of the retirement protocol and of replicas that are more than one plain Pod. */
export const retirementFaults = [
  // which removals go through the protocol
  'retire-deletes-at-once',
  'retire-sheds-at-once',
  'retire-drops-role-at-once',
  'rollout-through-retirement',
  'retire-uncounts-target',
  'retire-cleanup-waits',
  'retire-cleanup-takes-running',
  'retire-global-lock',
  // withdrawal
  'retire-skips-withdrawal',
  'retire-ignores-recent-dispatch',
  'retire-any-dispatch-holds',
  'serving-counts-recent',
  'retire-no-router-deletes',
  'retire-no-router-holds-on',
  // reading a member
  'retire-reads-spec',
  'retire-reads-outside',
  'retire-reads-service',
  'retire-reads-survivor',
  'retire-reads-all-members',
  'retire-short-gauge-list',
  'retire-one-read',
  'retire-ignores-second-read',
  'retire-read-unbounded',
  'retire-busy-is-idle',
  'retire-absent-is-zero',
  'retire-failed-read-is-idle',
  'retire-forgives-restart',
  'retire-invents-annotation',
  'retire-guesses-leader',
  'retire-unlisted-is-vllm',
  'retire-split-unrecognised',
  'retire-constant-reason',
  'retire-held-for-good',
  // budgets and deletion
  'retire-never-aborts',
  'retire-drain-budget-halved',
  'retire-deletes-leader-only',
  'retire-deletes-sibling',
  'retire-deletes-with-no-grace',
  // replicas of several Pods, split roles, the routing proxy
  'rollout-deletes-leader-alone',
  'group-left-without-member',
  'follower-waits-for-grace',
  'split-without-hook',
  'proxy-gets-hook',
  'proxy-is-classic',
  // as the operator is implemented, where its page says otherwise
  'vllm-split-by-flags-alone',
  'aborted-blocks-removals',
  'crash-loop-blocks-removals',
  'aborted-stays-ineligible',
] as const;

export type OperatorFault = (typeof operatorFaults)[number];
export type RetirementFault = (typeof retirementFaults)[number];

/** The faults that are switched on. */
export type Faults = { has(name: OperatorFault | RetirementFault): boolean };
