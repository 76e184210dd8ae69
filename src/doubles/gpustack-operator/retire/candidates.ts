import type { Pod } from '../../../systems/gpustack/readers.ts';
import type { ModelDeployment } from '../../../systems/gpustack/types.ts';
import type { Context } from '../context.ts';
import { specHash } from '../render/pod.ts';
import { hashOf, leaving, placesOf, terminal, type Place, type Snapshot, type Workload } from '../snapshot.ts';

/** A replica, or the surplus of one, that the spec takes away. */
export interface Candidate {
  role: string;
  ordinal: number;
  members: Pod[];
  /** Where it belongs to these members alone. */
  workload?: Workload;
  why: 'scale-down' | 'surplus' | 'dropped-role';
}

/** Everything that the spec takes away, in the order in which it goes: highest ordinal first, role by role. */
export function candidatesOf(deployment: ModelDeployment, snapshot: Snapshot, context: Context): Candidate[] {
  const found: Candidate[] = [];
  for (const place of placesOf(deployment, snapshot)) {
    const { role, ordinal, pods, workload } = place;
    if (place.declared) {
      const members = place.surplus.filter(stays);
      if (members.length > 0) found.push({ role, ordinal, members, why: 'surplus' });
      else if (context.faults.has('rollout-through-retirement') && isOutdated(deployment, place, context))
        found.push({ role, ordinal, members: pods, why: 'scale-down', ...(workload ? { workload } : {}) });
      continue;
    }
    const members = [...pods, ...place.surplus].filter(stays);
    if (members.length === 0) continue;
    const why = deployment.spec.roles.some(({ name }) => name === role) ? 'scale-down' : 'dropped-role';
    found.push({ role, ordinal, members, why, ...(workload ? { workload } : {}) });
  }
  const atOnce = {
    'scale-down': 'retire-deletes-at-once',
    surplus: 'retire-sheds-at-once',
    'dropped-role': 'retire-drops-role-at-once',
  } as const;
  // For faults alone: what is taken away without the protocol must not be admitted to it first.
  const admitted = found.filter(({ why }) => !context.faults.has(atOnce[why]));
  return admitted.sort((a, b) => (a.role === b.role ? b.ordinal - a.ordinal : a.role < b.role ? -1 : 1));
}

/** A Pod that leaves or is over was taken by somebody else. */
const stays = (pod: Pod): boolean => !leaving(pod) && !terminal(pod);

/** A place beyond the spec in which nothing ever ran, or that was never admitted: it is cleaned up, not retired. */
export function neverRan({ pods, surplus }: Place): boolean {
  return ![...pods, ...surplus].some(executed);
}

/** Whether any container of a Pod ever started. */
export function executed({ spec, status }: Pod): boolean {
  if (!spec.nodeName) return false;
  if (status?.phase === 'Running') return true;
  return (status?.containerStatuses ?? []).some(
    ({ restartCount = 0, state = {}, lastState }) =>
      restartCount > 0 || state.running !== undefined || state.terminated !== undefined || lastState?.terminated,
  );
}

/** For a fault alone: whether a rollout would replace what is in a place. */
function isOutdated(deployment: ModelDeployment, { role: name, ordinal, pods }: Place, context: Context): boolean {
  const role = deployment.spec.roles.find((r) => r.name === name);
  if (!role || pods.length === 0 || !pods.every(stays)) return false;
  return pods.some((pod, member) => hashOf(pod) !== specHash(deployment, role, ordinal, context, member));
}
