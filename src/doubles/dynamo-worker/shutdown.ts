import { dynamoLines as lines } from '../../engines/dynamo/log.ts';
import type { Seconds } from '../../time/scale.ts';
import type { Journal } from '../dynamo/journal.ts';
import type { Registration } from '../dynamo/record.ts';
import type { Program } from '../program.ts';
import type { Endpoint } from './endpoint.ts';

export interface Parts {
  program: Program;
  tell: Journal;
  endpoint: Endpoint;
  registration: Registration;
  /** Seconds of the document: the grace period, and the bound of the wait in the runtime. */
  grace: Seconds;
  timeout: Seconds;
  /** The endpoint counts as ready no longer. */
  withdraw: () => void;
}

/** Documented seconds by which faults move a step. */
const SHORT: Seconds = 2;
const LONG: Seconds = 5;

/**
 * The documented shutdown of a worker: log the signal, unregister, wait the grace period, `runtime.shutdown()`, wait for
 * requests, clean up, leave with 0.
 */
export async function shutDown(parts: Parts): Promise<void> {
  const { program, tell, endpoint, registration, grace, withdraw } = parts;
  const { faults, scale } = program;
  const pause = (seconds: Seconds) => new Promise((resolve) => setTimeout(resolve, scale.toMs(seconds)));
  if (faults.has('dynamo-dies-at-signal')) process.exit(143);
  tell('INFO', lines.signal);
  if (!faults.has('worker-stays-registered') && !faults.has('worker-unregisters-late')) await registration.unregister();
  withdraw();
  tell('INFO', lines.unregistered);
  if (grace > 0) tell('INFO', lines.grace(grace));
  if (faults.has('worker-refuses-in-grace')) endpoint.invalidate();
  if (faults.has('worker-cleans-up-first')) tell('DEBUG', lines.cleanup);
  await pause(faults.has('worker-grace-short') ? SHORT : faults.has('worker-grace-long') ? grace + LONG : grace);
  tell('INFO', lines.initiating);
  await runtimeShutdown(parts, faults.has('worker-stays-registered'));
  if (!faults.has('worker-cleans-up-first')) tell('DEBUG', lines.cleanup);
  process.exit(0);
}

async function runtimeShutdown(
  { program, tell, endpoint, registration, timeout }: Parts,
  stays: boolean,
): Promise<void> {
  const { faults, scale } = program;
  tell('INFO', lines.readiness);
  tell('INFO', lines.runtime);
  tell('INFO', lines.phase1);
  if (!faults.has('worker-accepts-after-grace')) endpoint.invalidate();
  tell('INFO', lines.handlerGone, { endpoint_name: 'generate' });
  tell('INFO', lines.phase2);
  tell('INFO', lines.active(1));
  const withdrawn = stays || faults.has('worker-leaves-card') ? undefined : registration.withdraw();
  if (endpoint.inflight > 0)
    tell('INFO', lines.waiting, { endpoint_name: 'generate', inflight_count: endpoint.inflight });
  const drained = faults.has('worker-abandons-requests') || (await idleWithin(endpoint, waits()));
  if (drained) {
    tell('INFO', lines.drained, { endpoint_name: 'generate' });
    tell('INFO', lines.last);
  } else {
    tell('WARN', lines.ingressTimedOut, {
      endpoint_name: 'generate',
      remaining: endpoint.inflight,
      timeout_secs: timeout,
    });
    tell('ERROR', lines.timedOut, {
      timeout_secs: timeout,
      ...(faults.has('worker-hides-remaining') ? {} : { remaining_endpoints: 1 }),
    });
    endpoint.cancelAll(faults.has('worker-ends-as-whole'));
  }
  tell('INFO', lines.teardown);
  await withdrawn;

  function waits(): number {
    const seconds = faults.has('worker-waits-past-timeout') ? timeout + LONG : timeout;
    return scale.toMs(seconds);
  }
}

/** Whether nothing is open within `ms` milliseconds. */
function idleWithin(endpoint: Endpoint, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(endpoint.inflight === 0), ms);
    endpoint.whenIdle(() => {
      clearTimeout(timer);
      // The last piece of an answer is written in this very tick.
      setImmediate(() => resolve(true));
    });
  });
}
