import type { KubeObject } from '../cluster/rest.ts';
import { now } from '../time/clock.ts';
import type { Live } from './live.ts';
import { podsOf } from './pods.ts';
import type { Scenario } from './scenario.ts';

/** The Pod of each case that has an index, as it stands at the end of the warm phase. */
export type Bound = ReadonlyMap<string, KubeObject>;

/** A case that names a Pod which is not there. */
export class UnboundCaseError extends Error {
  readonly code = 'QUIESCE_UNBOUND_CASE';
  constructor(name: string, role: string, index: number, there: number) {
    super(`case "${name}" names Pod ${index} of role "${role}", which has ${there}`);
    this.name = 'UnboundCaseError';
  }
}

/** Binds the cases with an index to Pods, by name order, and records each binding. */
export function bindCases(scenario: Scenario, live: Live): Bound {
  const bound = new Map<string, KubeObject>();
  for (const [name, { deployment, role, index }] of Object.entries(scenario.cases)) {
    if (index === undefined) continue;
    const pods = podsOf(live, deployment, role);
    const pod = pods[index];
    if (!pod) throw new UnboundCaseError(name, role, index, pods.length);
    bound.set(name, pod);
    const at = now();
    const { name: podName, uid = '' } = pod.metadata;
    live.record('case.bound', [at, at], `Pod/${pod.metadata.namespace}/${podName}`, {
      case: name,
      role,
      pod: podName,
      uid,
    });
  }
  return bound;
}
