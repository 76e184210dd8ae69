import { dynamoLines as lines } from '../../engines/dynamo/log.ts';
import { dynamo } from '../../requirements/dynamo.ts';
import type { Seconds } from '../../time/scale.ts';
import { LONG, refusalOf, type Parts } from './parts.ts';
import { runtimeShutdown } from './runtime.ts';

/** Documented seconds by which a fault shortens the grace. */
const SHORT: Seconds = 2;

function waitOf(grace: Seconds, faults: ReadonlySet<string>): Seconds {
  if (faults.has('worker-grace-constant')) return dynamo.gracePeriod;
  if (faults.has('worker-grace-short')) return SHORT;
  return faults.has('worker-grace-long') ? grace + LONG : grace;
}

/**
 * The documented shutdown of a worker: log the signal, unregister, wait the grace period, `runtime.shutdown()`, wait for
 * requests, clean up, leave with 0.
 */
export async function shutDown(signal: NodeJS.Signals, parts: Parts): Promise<void> {
  const { program, tell, endpoints, registration, grace, hurried, withdraw, cleanUp } = parts;
  const { faults, scale } = program;
  const pause = (seconds: Seconds) => new Promise((resolve) => setTimeout(resolve, scale.toMs(seconds)));
  if (faults.has('dynamo-dies-at-signal')) process.exit(143);
  tell('INFO', parts.signalLine(signal));
  const leaves = !faults.has('worker-stays-registered') && !faults.has('worker-unregisters-late');
  const refusal = leaves ? await refusalOf(registration.unregister()) : undefined;
  if (!faults.has('worker-health-stays-up')) withdraw();
  if (refusal === undefined) tell('INFO', lines.unregistered);
  else tell('ERROR', lines.notUnregistered, { error: refusal });
  if (grace > 0) tell('INFO', lines.grace(grace));
  if (faults.has('worker-refuses-in-grace')) for (const endpoint of endpoints) endpoint.invalidate();
  if (faults.has('worker-cleans-up-first')) await cleanUp();
  await Promise.race([pause(waitOf(grace, faults)), hurried()]);
  tell('INFO', lines.initiating);
  await runtimeShutdown(parts, faults.has('worker-stays-registered'));
  if (!faults.has('worker-cleans-up-first')) await cleanUp();
  process.exit(0);
}
