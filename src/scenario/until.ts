import type { TimeScale } from '../time/scale.ts';
import type { Bound } from './bind.ts';
import type { Live } from './live.ts';
import { hasRestarted } from './main-container.ts';
import { isLeaving, isReady, podsOf, why } from './pods.ts';
import type { Scenario } from './scenario.ts';

/** The UIDs that a role had when the action began, by case name. */
export type Before = ReadonlyMap<string, readonly string[]>;

/** Remembers which Pods each case without an index may lose. */
export const remember = (scenario: Scenario, live: Live): Before =>
  new Map(
    Object.entries(scenario.cases).map(([name, { deployment, role, replaces }]) => [
      name,
      // Whoever comes in another's place is not there yet.
      replaces ? [] : podsOf(live, deployment, role).map((pod) => pod.metadata.uid ?? ''),
    ]),
  );

/** Whether the Pod of a case (or, without an index, at least one of its Pods) has left. */
function isGone(name: string, live: Live, bound: Bound, before: Before): boolean {
  const uid = bound.get(name)?.metadata.uid;
  if (uid) return live.gone.has(uid);
  return (before.get(name) ?? []).some((old) => live.gone.has(old));
}

/** Whether every former Pod of a case has left and as many new ones are ready. */
function hasTurnedOver(name: string, scenario: Scenario, live: Live, before: Before): boolean {
  const old = before.get(name) ?? [];
  const c = scenario.cases[name];
  if (!c) return false;
  const fresh = podsOf(live, c.deployment, c.role).filter((p) => isReady(p) && !isLeaving(p));
  return old.every((uid) => live.gone.has(uid)) && fresh.length >= old.length;
}

/** Whether the container of a case has ended and runs again. */
function runsAgain(name: string, live: Live, bound: Bound): boolean {
  const pod = bound.get(name);
  const seen = pod && live.objects.get(`Pod/${pod.metadata.namespace}/${pod.metadata.name}`);
  return seen !== undefined && hasRestarted(seen);
}

/**
 * Waits until everything that the scenario waits for has happened; answers why the window ended. It never throws for
 * a fact that stays away: the judges will see its absence.
 */
export async function untilOver(
  scenario: Scenario,
  live: Live,
  bound: Bound,
  before: Before,
  zeroAt: number,
  nowMs: () => number,
  scale: TimeScale,
): Promise<string> {
  const { gone = [], turnedOver = [], restarted = [], then = 0, atMost } = scenario.until;
  const left = () => zeroAt + scale.toMs(atMost) - nowMs();
  const missing = () => [
    ...gone.filter((name) => !isGone(name, live, bound, before)),
    ...turnedOver.filter((name) => !hasTurnedOver(name, scenario, live, before)),
    ...restarted.filter((name) => !runsAgain(name, live, bound)),
  ];
  let reason = 'everything awaited was seen';
  try {
    await live.until('the end of the window', () => missing().length === 0, Math.max(1, left()));
  } catch (error) {
    if ((error as { code?: string }).code !== 'QUIESCE_DEADLINE') throw error;
    reason = `${atMost} s passed and ${missing().join(', ')} had not left (${live.of('Pod').map(why).join('; ')})`;
  }
  const lastStep = Math.max(0, ...scenario.act.map((step) => step.at));
  const notBefore = zeroAt + scale.toMs(lastStep);
  const rest = Math.max(scale.toMs(then), notBefore - nowMs() + scale.toMs(then));
  if (rest > 0) await live.pause(rest);
  return reason;
}
