import type { KubeObject } from '../cluster/rest.ts';
import { now } from '../time/clock.ts';
import type { Live } from './live.ts';
import { runs } from './main-container.ts';
import { isLeaving, placeOf, podsOf } from './pods.ts';
import type { Scenario } from './scenario.ts';

/** The Pod of each case that has an index, as it stands at the end of the warm phase. */
export type Bound = ReadonlyMap<string, KubeObject>;

/** Cases of which some are still to be bound: those that come in the place of others. */
export type Binding = Map<string, KubeObject>;

/** A case that names a Pod which is not there. */
export class UnboundCaseError extends Error {
  readonly code = 'QUIESCE_UNBOUND_CASE';
  constructor(name: string, which: string, role: string, there: number) {
    super(`case "${name}" names Pod ${which} of role "${role}", which has ${there}`);
    this.name = 'UnboundCaseError';
  }
}

/** Binds the cases that name one Pod to it, and records each binding. */
export function bindCases(scenario: Scenario, live: Live): Binding {
  const bound: Binding = new Map();
  for (const [name, { deployment, role, index, ordinal, member = 0 }] of Object.entries(scenario.cases)) {
    if (index === undefined && ordinal === undefined) continue;
    const pods = podsOf(live, deployment, role);
    const isIt = (pod: KubeObject) => placeOf(pod).ordinal === ordinal && placeOf(pod).member === member;
    const pod = index === undefined ? pods.find(isIt) : pods[index];
    const which = index === undefined ? `of ordinal ${ordinal}, member ${member}` : `${index}`;
    if (!pod) throw new UnboundCaseError(name, which, role, pods.length);
    bind(name, role, pod, bound, live);
  }
  return bound;
}

function bind(name: string, role: string, pod: KubeObject, bound: Binding, live: Live): void {
  bound.set(name, pod);
  const boundAt = now();
  const { name: podName, namespace, uid = '' } = pod.metadata;
  live.record('case.bound', [boundAt, boundAt], `Pod/${namespace}/${podName}`, { case: name, role, pod: podName, uid });
}

/** Seconds of the wall within which a Pod comes in the place of another one. */
const REPLACED_S = 30;

/**
 * The Pod of a case; that of one which comes in another's place is bound here, as soon as its container runs.
 * @throws Error for a case that has no Pod; DeadlineError where none comes
 */
export async function podOf(name: string, cases: Scenario['cases'], bound: Binding, live: Live): Promise<KubeObject> {
  const there = bound.get(name);
  if (there) return there;
  const one = cases[name];
  const former = one?.replaces && bound.get(one.replaces);
  if (!one || !former) throw new Error(`case "${name}" has no Pod`);
  const known = new Set([...bound.values()].map(({ metadata }) => metadata.uid));
  const comes = () =>
    podsOf(live, one.deployment, one.role).find((pod) => !known.has(pod.metadata.uid) && !isLeaving(pod) && runs(pod));
  const pod = await live.until(`main of a Pod in the place of ${former.metadata.name}`, comes, REPLACED_S * 1000);
  bind(name, one.role, pod, bound, live);
  return pod;
}
