import type { KubeObject } from '../cluster/rest.ts';
import type { TimeScale } from '../time/scale.ts';
import type { Live } from './live.ts';
import { isLeaving, isReady, podsOf, routerPodsOf, why } from './pods.ts';
import { rolesOf } from './roles.ts';
import type { Scenario } from './scenario.ts';

/** Documented seconds that a system may need to become ready, and the least in milliseconds of the wall. */
const READY_SECONDS = 150;
const READY_AT_LEAST_MS = 30_000;

export interface Expected {
  deployment: string;
  role: string;
  /** Pods of all of its replicas. */
  pods: number;
}

export const expectedRoles = (scenario: Scenario): Expected[] =>
  rolesOf(scenario).map(({ deployment, name, replicas, size }) => ({ deployment, role: name, pods: replicas * size }));

/** Why a Pod is not ready, and what it said when it ended last. */
export const plightOf = (live: Live, pod: KubeObject): string =>
  [why(pod), live.lastWords.atEnd(pod)].filter(Boolean).join(', and said at its end: ');

const readyPods = (live: Live, { deployment, role }: Expected) =>
  podsOf(live, deployment, role).filter((p) => isReady(p) && !isLeaving(p));

/**
 * Waits until every replica of every role and every router is ready.
 * @throws DeadlineError that says which Pods are not, and why
 */
export async function untilReady(
  scenario: Scenario,
  live: Live,
  scale: TimeScale,
  ms = Math.max(READY_AT_LEAST_MS, scale.toMs(READY_SECONDS)),
): Promise<void> {
  const expected = expectedRoles(scenario);
  const routed = scenario.deploy.deployments.filter((d) => 'router' in d && d.router).map((d) => d.name);
  const missing = () => [
    ...expected
      .filter((e) => readyPods(live, e).length < e.pods)
      .map((e) => `${readyPods(live, e).length} of ${e.pods} Pods of ${e.deployment}/${e.role}`),
    ...routed.filter((name) => !routerPodsOf(live, name).some(isReady)).map((name) => `no router of ${name}`),
  ];
  await live.until(
    'the system to be ready',
    () => missing().length === 0,
    ms,
    () =>
      `ready were only ${missing().join(', ')}; ${
        live
          .of('Pod')
          .filter((p) => !isReady(p))
          .map((p) => plightOf(live, p))
          .join('; ') || 'no Pod is there'
      }`,
  );
}
