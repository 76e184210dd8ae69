import { labels, labelValues } from '../../../systems/gpustack/names.ts';
import type { ModelDeployment } from '../../../systems/gpustack/types.ts';

/**
 * Labels by which a router finds the replicas of one kind of role. A router's own Pods have no role kind; what a
 * retirement withdraws loses the label of eligibility; of several Pods the leader alone takes requests.
 */
export function workerSelector({ metadata, spec }: ModelDeployment, kind: string): Record<string, string> {
  const several = spec.roles.some(({ size = 1 }) => size > 1);
  return {
    [labels.name]: labelValues.name,
    [labels.instance]: metadata.name,
    [labels.roleKind]: kind.toLowerCase(),
    ...(several ? { [labels.memberIndex]: '0' } : {}),
    [labels.eligible]: 'true',
  };
}

/** Whether requests go through a prefill and a decode half. */
export const isSplit = ({ spec }: ModelDeployment): boolean =>
  spec.roles.some(({ kind = 'Server' }) => kind !== 'Server');

export const pairs = (selector: Record<string, string>): string[] =>
  Object.entries(selector).map(([key, value]) => `${key}=${value}`);
