import { graceOf, hookOf, replicaReady, type Pod } from '../../systems/gpustack/readers.ts';
import type { Seconds } from '../../time/scale.ts';
import type { Faults } from './faults.ts';
import { hashOf, holds, leaving, terminal, type Slot } from './snapshot.ts';
import { totalOf } from './slots.ts';

/** A Pod that a rollout deletes; without `gracePeriodSeconds` it leaves with its own grace. */
export interface Deletion {
  pod: Pod;
  ordinal: number;
  gracePeriodSeconds?: Seconds;
}

/** What a rollout of one role is decided by. */
export interface RoleState {
  /** Less the slot that a retirement has reserved: a rollout steps over it. */
  slots: Slot[];
  /** Hash and grace of the Pod that the spec now asks for in a seat of an ordinal. */
  wanted: (ordinal: number, pod: Pod) => { hash: string; grace: Seconds | undefined };
  faults: Faults;
  /** Documented seconds since this operator last deleted a Pod of the role; Infinity if it never did. */
  sinceLastDelete: Seconds;
  /** UIDs of Pods that the fault `upgrade-turns-twice` turns over once more. */
  again: ReadonlySet<string>;
}

/** Documented seconds after which the fault `rollout-early-next` deletes the next Pod, whatever became of the former. */
export const EARLY_NEXT: Seconds = 3;

/** Replicas that are not as the spec asks for. */
export function outdated({ slots, wanted, again }: RoleState): Slot[] {
  const differing = slots.filter(({ pods, ordinal, size }) =>
    pods.some((pod) => hashOf(pod) !== wanted(ordinal, pod).hash || totalOf(pod) !== size),
  );
  if (differing.length > 0) return differing;
  return slots.filter(({ pods }) => pods.some((pod) => again.has(pod.metadata.uid ?? '') && replicaReady(pod)));
}

/**
 * The Pods of a role that are deleted now: those of one replica at a time, and none while a Pod of the role leaves, a
 * place is empty, or a replacement is not yet admitted and Ready. Broken replicas first, then the highest ordinal.
 */
export function rolloutStep(state: RoleState): Deletion[] {
  const { slots, faults } = state;
  const ready = ({ pods }: Slot) => Number(pods.every(replicaReady));
  const due = outdated(state)
    .filter(({ pods }) => !pods.some((pod) => leaving(pod) || terminal(pod)))
    .sort((a, b) => ready(a) - ready(b) || b.ordinal - a.ordinal);
  if (due.length === 0) return [];
  const early = faults.has('rollout-early-next');
  if (early ? state.sinceLastDelete < EARLY_NEXT : !settled(slots, due)) return [];
  const count = faults.has('rollout-two-at-once') ? 2 : 1;
  return due.slice(0, count).flatMap(({ pods, ordinal }) => {
    const members = faults.has('rollout-deletes-leader-alone') ? pods.slice(0, 1) : pods;
    return members.map((pod) => ({ pod, ordinal, ...graceOfDelete(state, pod, ordinal) }));
  });
}

/** Whether every place holds a whole replica that stays, and each that is not due itself is admitted and Ready. */
function settled(slots: Slot[], due: Slot[]): boolean {
  return slots.every((slot) => {
    const { pods, workload } = slot;
    if (pods.length === 0 || pods.some((pod) => leaving(pod) || terminal(pod))) return false;
    if (due.includes(slot)) return true;
    return pods.length === slot.size && pods.every(replicaReady) && holds(workload, 'Admitted');
  });
}

/** A departing Pod keeps its own grace: the delete names none. */
function graceOfDelete({ faults, wanted }: RoleState, pod: Pod, ordinal: number): { gracePeriodSeconds?: Seconds } {
  if (faults.has('rollout-deletes-with-no-grace')) return { gracePeriodSeconds: 1 };
  const { grace } = wanted(ordinal, pod);
  const edited = grace !== undefined && grace !== graceOf(pod);
  return edited && faults.has('grace-edit-new-grace') ? { gracePeriodSeconds: grace } : {};
}

/** Whether a Pod was rendered by a release without the drain window. */
export const beforeDrainWindow = (pod: Pod): boolean => hookOf(pod) === undefined;
