import { graceOf, hookOf, replicaReady, type Pod } from '../../systems/gpustack/readers.ts';
import type { Seconds } from '../../time/scale.ts';
import type { Faults } from './faults.ts';
import { hashOf, holds, leaving, terminal, type Slot } from './snapshot.ts';

/** A Pod that a rollout deletes; without `gracePeriodSeconds` it leaves with its own grace. */
export interface Deletion {
  pod: Pod;
  ordinal: number;
  gracePeriodSeconds?: Seconds;
}

/** What a rollout of one role is decided by. */
export interface RoleState {
  slots: Slot[];
  /** Hash and grace of the Pod that the spec now asks for at an ordinal. */
  wanted: (ordinal: number) => { hash: string; grace: Seconds | undefined };
  faults: Faults;
  /** Documented seconds since this operator last deleted a Pod of the role; Infinity if it never did. */
  sinceLastDelete: Seconds;
  /** UIDs of Pods that the fault `upgrade-turns-twice` turns over once more. */
  again: ReadonlySet<string>;
}

/** Documented seconds after which the fault `rollout-early-next` deletes the next Pod, whatever became of the former. */
export const EARLY_NEXT: Seconds = 3;

/** Pods whose rendering is not the one that the spec asks for. */
export const outdated = ({ slots, wanted, again }: RoleState): { pod: Pod; ordinal: number }[] => {
  const all = slots.flatMap(({ pods, ordinal }) => pods.map((pod) => ({ pod, ordinal })));
  const differing = all.filter(({ pod, ordinal }) => hashOf(pod) !== wanted(ordinal).hash);
  return differing.length > 0
    ? differing
    : all.filter(({ pod }) => again.has(pod.metadata.uid ?? '') && replicaReady(pod));
};

/**
 * The Pods of a role that are deleted now: one at a time, and none while a Pod of the role leaves, a place is empty, or
 * a replacement is not yet admitted and Ready. Broken Pods first, then the highest ordinal.
 */
export function rolloutStep(state: RoleState): Deletion[] {
  const { slots, faults } = state;
  const due = outdated(state)
    .filter(({ pod }) => !leaving(pod) && !terminal(pod))
    .sort((a, b) => Number(replicaReady(a.pod)) - Number(replicaReady(b.pod)) || b.ordinal - a.ordinal);
  if (due.length === 0) return [];
  const early = faults.has('rollout-early-next');
  if (early ? state.sinceLastDelete < EARLY_NEXT : !settled(slots, due)) return [];
  const count = faults.has('rollout-two-at-once') ? 2 : 1;
  return due.slice(0, count).map(({ pod, ordinal }) => ({ pod, ordinal, ...graceOfDelete(state, pod, ordinal) }));
}

/** Whether every place holds one Pod that stays, and each that is not due itself is admitted and Ready. */
function settled(slots: Slot[], due: { pod: Pod }[]): boolean {
  return slots.every(({ pods: [pod, ...more], workload }) => {
    if (!pod || more.length > 0 || leaving(pod) || terminal(pod)) return false;
    return due.some((d) => d.pod === pod) || (replicaReady(pod) && holds(workload, 'Admitted'));
  });
}

/** A departing Pod keeps its own grace: the delete names none. */
function graceOfDelete({ faults, wanted }: RoleState, pod: Pod, ordinal: number): { gracePeriodSeconds?: Seconds } {
  if (faults.has('rollout-deletes-with-no-grace')) return { gracePeriodSeconds: 1 };
  const { grace } = wanted(ordinal);
  const edited = grace !== undefined && grace !== graceOf(pod);
  return edited && faults.has('grace-edit-new-grace') ? { gracePeriodSeconds: grace } : {};
}

/** Whether a Pod was rendered by a release without the drain window. */
export const beforeDrainWindow = (pod: Pod): boolean => hookOf(pod) === undefined;
