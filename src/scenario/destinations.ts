import type { Destination } from '../load/plan.ts';
import type { Address } from '../load/stream.ts';
import { routerService, serviceOfRole } from '../systems/gpustack/readers.ts';
import type { Bound } from './bind.ts';
import type { Environment } from './environment.ts';
import type { Live } from './live.ts';
import { addressOf, engineIsTls, enginePortOf, commandPortOf } from './pods.ts';

/**
 * Where a destination stands now: a Service by its cluster address, a case by its Pod's own.
 * @throws Error where there is no such Service or Pod
 */
export function addressOfDestination(to: Destination, env: Environment, live: Live, bound: Bound): Address {
  if ('case' in to) {
    const pod = bound.get(to.case);
    const host = pod && addressOf(pod);
    if (!pod || !host) throw new Error(`case "${to.case}" has no address`);
    return { host, port: commandPortOf(pod) ?? enginePortOf(pod), tls: engineIsTls(pod) };
  }
  const name = 'router' in to ? routerService(to.router).name : serviceOfRole(to.service, to.role);
  const service = live.objects.get(`Service/${env.namespace}/${name}`);
  const { clusterIP, ports } = (service?.['spec'] ?? {}) as { clusterIP?: string; ports?: { port: number }[] };
  const port = ports?.[0]?.port;
  if (!clusterIP || !port) throw new Error(`there is no Service ${name} with an address`);
  return { host: clusterIP, port };
}
