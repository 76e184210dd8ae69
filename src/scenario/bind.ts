import type { KubeObject } from '../cluster/rest.ts';
import { now } from '../time/clock.ts';
import type { Live } from './live.ts';
import { placeOf, podsOf } from './pods.ts';
import type { Scenario } from './scenario.ts';

/** The Pod of each case that has an index, as it stands at the end of the warm phase. */
export type Bound = ReadonlyMap<string, KubeObject>;

/** A case that names a Pod which is not there. */
export class UnboundCaseError extends Error {
  readonly code = 'QUIESCE_UNBOUND_CASE';
  constructor(name: string, which: string, role: string, there: number) {
    super(`case "${name}" names Pod ${which} of role "${role}", which has ${there}`);
    this.name = 'UnboundCaseError';
  }
}

/** Binds the cases that name one Pod to it, and records each binding. */
export function bindCases(scenario: Scenario, live: Live): Bound {
  const bound = new Map<string, KubeObject>();
  for (const [name, { deployment, role, index, ordinal, member = 0 }] of Object.entries(scenario.cases)) {
    if (index === undefined && ordinal === undefined) continue;
    const pods = podsOf(live, deployment, role);
    const isIt = (pod: KubeObject) => placeOf(pod).ordinal === ordinal && placeOf(pod).member === member;
    const pod = index === undefined ? pods.find(isIt) : pods[index];
    const which = index === undefined ? `of ordinal ${ordinal}, member ${member}` : `${index}`;
    if (!pod) throw new UnboundCaseError(name, which, role, pods.length);
    bound.set(name, pod);
    const boundAt = now();
    const { name: podName, uid = '' } = pod.metadata;
    live.record('case.bound', [boundAt, boundAt], `Pod/${pod.metadata.namespace}/${podName}`, {
      case: name,
      role,
      pod: podName,
      uid,
    });
  }
  return bound;
}
