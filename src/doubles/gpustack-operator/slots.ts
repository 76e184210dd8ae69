import { annotations, labels } from '../../systems/gpustack/names.ts';
import type { Pod } from '../../systems/gpustack/readers.ts';
import type { Faults } from './faults.ts';
import { owns } from './quota.ts';
import { holds, leaving, terminal, type Slot, type Workload } from './snapshot.ts';

/** What one slot needs next. */
export type SlotStep =
  | { do: 'create-workload'; owners: Pod[] }
  /** Members by their seats. */
  | { do: 'create-pods'; seats: number[] }
  | { do: 'bind-workload'; workload: Workload; pods: Pod[] }
  | { do: 'remove-workload'; workload: Workload }
  | { do: 'release-quota'; workload: Workload }
  | { do: 'remove-pods'; pods: Pod[] };

/**
 * The next step of a slot, or none. A slot goes: Workload, quota, Pods, bound together; and back: the Pods leave, their
 * objects are gone or terminal, Workload removed, and from the start. So a replacement never shares an ordinal with
 * what it replaces, and always passes a new admission. The members of a replica of several Pods come and go together:
 * none of them serves without the others.
 */
export function slotStep({ pods, size, workload }: Slot, faults: Faults): SlotStep | undefined {
  if (pods.length === 0) {
    if (!workload) return { do: 'create-workload', owners: [] };
    if (leaving(workload)) return undefined;
    if (boundToPods(workload)) return { do: 'remove-workload', workload };
    return holds(workload, 'Admitted') ? { do: 'create-pods', seats: seats(size) } : undefined;
  }
  const staying = pods.filter((pod) => !leaving(pod));
  const alone = faults.has('group-left-without-member') || faults.has('rollout-deletes-leader-alone');
  if (pods.some(terminal)) {
    // The quota is the whole replica's: a leader that drains on holds it after its followers have ended.
    if (pods.every(terminal) && workload && !leaving(workload)) return { do: 'remove-workload', workload };
    const left = faults.has('group-left-without-member') ? staying.filter(terminal) : staying;
    return left.length > 0 ? { do: 'remove-pods', pods: left } : undefined;
  }
  if (staying.length < pods.length && staying.length > 0 && !alone) {
    return { do: 'remove-pods', pods: staying };
  }
  if (!workload) return staying.length === 0 ? undefined : { do: 'create-workload', owners: pods };
  if (pods.length >= size && pods.some((pod) => !owns(pod, workload))) {
    return leaving(workload) ? undefined : { do: 'bind-workload', workload, pods };
  }
  if (staying.length === 0 && holds(workload, 'QuotaReserved') && faults.has('quota-released-at-delete')) {
    return { do: 'release-quota', workload };
  }
  if (staying.length > 0 && pods.length < size && pods.every((pod) => totalOf(pod) === size)) {
    // A Workload is bound once all members are made: they were whole, and one of them is gone.
    if (boundToPods(workload))
      return faults.has('group-left-without-member') ? undefined : { do: 'remove-pods', pods: staying };
    return { do: 'create-pods', seats: seats(size).filter((seat) => !pods.some((pod) => seatOf(pod) === seat)) };
  }
  return undefined;
}

const seats = (size: number): number[] => Array.from({ length: size }, (_, seat) => seat);
const seatOf = (pod: Pod): number => Number(pod.metadata.labels?.[labels.memberIndex] ?? 0);

/** Number of Pods that a Pod's replica was built with. */
export const totalOf = (pod: Pod): number => Number(pod.metadata.annotations?.[annotations.groupTotal] ?? 1);

const boundToPods = (workload: Workload): boolean =>
  workload.metadata.ownerReferences?.some((o) => o.kind === 'Pod') ?? false;
