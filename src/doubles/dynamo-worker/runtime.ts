import { dynamoLines as lines } from '../../engines/dynamo/log.ts';
import type { Endpoint } from './endpoint.ts';
import { LONG, refusalOf, type Parts } from './parts.ts';

type Runtime = Pick<Parts, 'program' | 'tell' | 'endpoints' | 'registration' | 'timeout' | 'hurried'>;

/**
 * `runtime.shutdown()`: every endpoint is invalidated; those that wait for their requests are waited for, all of them together
 * up to the timeout; then the runtime is torn down.
 */
export async function runtimeShutdown(runtime: Runtime, stays: boolean): Promise<void> {
  const { program, tell, endpoints, registration, timeout, hurried } = runtime;
  const { faults, scale } = program;
  const waited = endpoints.filter(({ graceful }) => graceful || faults.has('worker-waits-ungracefully'));
  beginShutdown(runtime, waited.length);
  const withdrawn = stays || faults.has('worker-leaves-card') ? undefined : refusalOf(registration.withdraw());
  for (const { name, inflight } of waited)
    if (inflight > 0) tell('INFO', lines.waiting, { endpoint_name: name, inflight_count: inflight });
  const ms = scale.toMs(faults.has('worker-waits-past-timeout') ? timeout + LONG : timeout);
  const left: Endpoint[] = [];
  const idle = (endpoint: Endpoint) => Promise.race([idleWithin(endpoint, ms), hurried().then(() => true)]);
  const wait = async (endpoint: Endpoint) => {
    if (faults.has('worker-abandons-requests') || (await idle(endpoint)))
      return tell('INFO', lines.drained, { endpoint_name: endpoint.name });
    left.push(endpoint);
    const fields = { endpoint_name: endpoint.name, remaining: endpoint.inflight, timeout_secs: timeout };
    tell('WARN', lines.ingressTimedOut, fields);
  };
  if (faults.has('worker-waits-for-each-endpoint')) for (const endpoint of waited) await wait(endpoint);
  else await Promise.all(waited.map(wait));
  if (left.length === 0) tell('INFO', lines.last);
  else {
    const remaining = faults.has('worker-hides-remaining') ? {} : { remaining_endpoints: left.length };
    tell('ERROR', lines.timedOut, { timeout_secs: timeout, ...remaining });
  }
  for (const endpoint of endpoints) endpoint.cancelAll(faults.has('worker-ends-as-whole'));
  tell('INFO', lines.teardown);
  await withdrawn;
}

/** What `runtime.shutdown()` does before it returns: whoever exits then waits for nothing. */
export function beginShutdown(
  { program, tell, endpoints }: Pick<Runtime, 'program' | 'tell' | 'endpoints'>,
  waits: number,
): void {
  tell('INFO', lines.readiness);
  tell('INFO', lines.runtime);
  tell('INFO', lines.phase1);
  for (const endpoint of endpoints) {
    if (!program.faults.has('worker-accepts-after-grace')) endpoint.invalidate();
    tell('INFO', lines.handlerGone, { endpoint_name: endpoint.name });
  }
  tell('INFO', lines.phase2);
  tell('INFO', lines.active(waits));
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
