import type { Pod } from '../../systems/gpustack/readers.ts';
import type { Faults } from './faults.ts';
import { owns } from './quota.ts';
import { holds, leaving, terminal, type Slot, type Workload } from './snapshot.ts';

/** What one slot needs next. */
export type SlotStep =
  | { do: 'create-workload'; owner?: Pod }
  | { do: 'create-pod' }
  | { do: 'bind-workload'; workload: Workload; pod: Pod }
  | { do: 'remove-workload'; workload: Workload }
  | { do: 'release-quota'; workload: Workload }
  | { do: 'remove-pod'; pod: Pod };

/**
 * The next step of a slot, or none. A slot goes: Workload, quota, Pod, bound together; and back: Pod leaves, its object
 * is gone or terminal, Workload removed, and from the start. So a replacement never shares an ordinal with the Pod that
 * it replaces, and always passes a new admission.
 */
export function slotStep({ pods, workload }: Slot, faults: Faults): SlotStep | undefined {
  const [pod] = pods;
  if (!pod) {
    if (!workload) return { do: 'create-workload' };
    if (leaving(workload)) return undefined;
    if (boundToPod(workload)) return { do: 'remove-workload', workload };
    return holds(workload, 'Admitted') ? { do: 'create-pod' } : undefined;
  }
  if (terminal(pod)) {
    if (workload && !leaving(workload)) return { do: 'remove-workload', workload };
    return leaving(pod) ? undefined : { do: 'remove-pod', pod };
  }
  if (!workload) return leaving(pod) ? undefined : { do: 'create-workload', owner: pod };
  if (!owns(pod, workload)) return leaving(workload) ? undefined : { do: 'bind-workload', workload, pod };
  if (leaving(pod) && holds(workload, 'QuotaReserved') && faults.has('quota-released-at-delete')) {
    return { do: 'release-quota', workload };
  }
  return undefined;
}

const boundToPod = (workload: Workload): boolean =>
  workload.metadata.ownerReferences?.some((o) => o.kind === 'Pod') ?? false;
