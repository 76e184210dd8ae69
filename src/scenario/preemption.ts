import { isStatus } from '../cluster/errors.ts';
import { collectionPath } from '../cluster/paths.ts';
import { now } from '../time/clock.ts';
import type { Environment } from './environment.ts';
import { DeadlineError, type Live } from './live.ts';
import type { Scenario } from './scenario.ts';
import { namespaceLabels } from './system.ts';
import { preemptionOf, URGENT, waitingPod } from './waiting-pod.ts';

/** Milliseconds of the wall until an API server lets a Pod use a priority class that was there before the system was ready. */
const ADMITTED_MS = 10_000;

/** Milliseconds of the wall from one question to the next. */
const RETRY_MS = 100;

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
  for (;;) {
    const refusal = await env.client.create(`${collectionPath(pod)}?dryRun=All`, pod).then(
      () => undefined,
      (error: unknown) => {
        if (isStatus(error, 403)) return (error as Error).message;
        throw error;
      },
    );
    if (refusal === undefined) return;
    if (now() - from > ADMITTED_MS) throw new DeadlineError(`${step.name} to be admitted`, now() - from, refusal);
    await live.pause(RETRY_MS);
  }
}
