import { isStatus } from '../cluster/errors.ts';
import { createOnceAllowed } from '../cluster/once-allowed.ts';
import { collectionPath } from '../cluster/paths.ts';
import { now } from '../time/clock.ts';
import type { Environment } from './environment.ts';
import { DeadlineError, type Live } from './live.ts';
import type { Scenario } from './scenario.ts';
import { namespaceLabels } from './system.ts';
import { preemptionOf, URGENT, waitingPod } from './waiting-pod.ts';

/**
 * Waits until the API server would take the Pod that preempts: its admission hears of a priority class by a watch of its own. Asked by
 * dry runs, so that nothing is created.
 * @throws DeadlineError with its last refusal
 */
export async function untilAdmitted(scenario: Scenario, env: Environment, live: Live): Promise<void> {
  const step = preemptionOf(scenario);
  if (!step) return;
  const pod = waitingPod(step.name, step.accelerators, { env, labels: namespaceLabels(env) }, URGENT);
  const from = now();
  const path = `${collectionPath(pod)}?dryRun=All`;
  const patience = { passes: () => true, pause: (ms: number) => live.pause(ms) };
  await createOnceAllowed(env.client, path, pod, patience).catch((error: unknown) => {
    if (!isStatus(error, 403)) throw error;
    throw new DeadlineError(`${step.name} to be admitted`, now() - from, (error as Error).message);
  });
}
