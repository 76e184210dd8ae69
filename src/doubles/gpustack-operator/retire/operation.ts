import { retirement as budgets } from '../../../requirements/retirement.ts';
import { reasons } from '../../../requirements/retirement-reasons.ts';
import type { ModelDeployment, Retirement, RetirementState } from '../../../systems/gpustack/types.ts';
import type { Candidate } from './candidates.ts';
import type { OperationClock } from './times.ts';

/** A new operation on what the spec takes away. */
export function admitted({ metadata }: ModelDeployment, candidate: Candidate, clock: OperationClock): Retirement {
  const at = clock.stamp();
  return {
    roleName: candidate.role,
    replicaOrdinal: candidate.ordinal,
    observedGeneration: metadata.generation ?? 0,
    targetMemberUIDs: candidate.members.map((pod) => pod.metadata.uid ?? ''),
    ...(candidate.workload?.metadata.uid ? { targetWorkloadUID: candidate.workload.metadata.uid } : {}),
    state: 'Admitted',
    reason: reasons.admitted,
    startedAt: at,
    deadline: clock.stamp(budgets.total),
    phaseStartedAt: at,
  };
}

/** An aborted operation taken up again by its user. */
export const retried = (
  operation: Retirement,
  { metadata }: ModelDeployment,
  token: string,
  clock: OperationClock,
): Retirement => ({
  ...operation,
  observedGeneration: metadata.generation ?? 0,
  state: 'Admitted',
  reason: reasons.retried,
  startedAt: clock.stamp(),
  deadline: clock.stamp(budgets.total),
  phaseStartedAt: clock.stamp(),
  lastConsumedRetryToken: token,
});

/** The end that keeps everything: the phase's start stays, the deadline is now. */
export const aborted = (operation: Retirement, cause: string, clock: OperationClock): Retirement => ({
  ...operation,
  state: 'Aborted',
  reason: cause === reasons.terminatedOutside ? cause : reasons.aborted(cause),
  deadline: clock.stamp(),
});

/** The next state; Draining and Settling begin a phase of their own. */
export function moved(
  operation: Retirement,
  state: RetirementState,
  reason: string,
  clock: OperationClock,
): Retirement {
  const phase = state === 'Draining' || state === 'Settling' ? { phaseStartedAt: clock.stamp() } : {};
  return { ...operation, state, reason, ...phase };
}
