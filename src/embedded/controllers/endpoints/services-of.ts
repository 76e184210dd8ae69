import type { Informer } from '../informer.ts';
import { keyOf } from '../objects.ts';
import type { Pod, Service } from '../objects.ts';
import { hasLabels } from '../selector.ts';

/** Keys of the Services that select a Pod, or selected it before its labels changed. */
export function* servicesOf(services: Informer<Service>, pod: Pod, former: Pod | undefined): Iterable<string> {
  for (const service of services.values()) {
    const { selector } = service.spec;
    if (!selector || service.metadata.namespace !== pod.metadata.namespace) continue;
    const selected = [pod, former].some((known) => known && hasLabels(known.metadata.labels, selector));
    if (selected) yield keyOf(service);
  }
}
