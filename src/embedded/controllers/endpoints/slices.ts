import { createHash } from 'node:crypto';
import { isStatus } from '../../../cluster/errors.ts';
import type { Context, Controller } from '../context.ts';
import type { Informer } from '../informer.ts';
import { isTerminating, keyOf, timestamp } from '../objects.ts';
import type { EndpointSlice, Pod, Service } from '../objects.ts';
import { collections, inNamespace, pathOf } from '../paths.ts';
import { WorkQueue } from '../queue.ts';
import { endpointOf, isEndpoint, portsOn } from './endpoint.ts';
import type { EndpointPort } from './endpoint.ts';
import { servicesOf } from './services-of.ts';

const MANAGER = 'endpointslice-controller.k8s.io';
const SERVICE_LABEL = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';

type Wanted = Pick<EndpointSlice, 'endpoints' | 'ports'> & { name: string };

/** Writes one EndpointSlice a Service (more only where Pods resolve its named ports differently). */
export class EndpointSlices implements Controller {
  readonly #context: Context;
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#services = context.informers.of(collections.services);
    this.#pods = context.informers.of(collections.pods);
    this.#slices = context.informers.of(collections.endpointSlices);
    this.#queue = new WorkQueue('endpointslice-controller', (key) => this.#reconcile(key), context.log);
    this.#services.listen((_type, service) => this.#queue.add(keyOf(service)));
    this.#pods.listen((_type, pod, former) => {
      for (const key of servicesOf(this.#services, pod, former)) this.#queue.add(key);
    });
    this.#slices.listen((type, slice) => {
      const service = slice.metadata.labels?.[SERVICE_LABEL];
      if (service && isOurs(slice) && type !== 'ADDED') this.#queue.add(`${slice.metadata.namespace ?? ''}/${service}`);
    });
  }

  stop(): void {
    this.#queue.stop();
  }

  async #reconcile(key: string): Promise<void> {
    const service = this.#services.get(key);
    // Without a selector the slices are somebody else's; those of a deleted Service are garbage collected.
    if (!service?.spec.selector || service.spec.type === 'ExternalName' || isTerminating(service)) return;
    const wanted = this.#wanted(service);
    const names = new Set(wanted.map((slice) => slice.name));
    for (const slice of wanted) await this.#write(service, slice);
    for (const slice of [...this.#slices.values()]) {
      const mine = slice.metadata.namespace === service.metadata.namespace && isOurs(slice);
      if (!mine || slice.metadata.labels?.[SERVICE_LABEL] !== service.metadata.name) continue;
      if (!names.has(slice.metadata.name)) await this.#remove(slice);
    }
  }

  #wanted(service: Service): Wanted[] {
    const groups = new Map<string, { ports: EndpointPort[]; pods: Pod[] }>();
    for (const pod of this.#pods.values()) {
      if (!isEndpoint(service, pod)) continue;
      const ports = portsOn(service, pod);
      const id = JSON.stringify(ports);
      const group = groups.get(id) ?? { ports, pods: [] };
      group.pods.push(pod);
      groups.set(id, group);
    }
    const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
    if (sorted.length === 0) return [{ name: sliceName(service, ''), endpoints: [], ports: [] }];
    return sorted.map(([id, { ports, pods }], i) => ({
      name: sliceName(service, i === 0 ? '' : id),
      endpoints: pods.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map((pod) => endpointOf(service, pod)),
      ports,
    }));
  }

  async #write(service: Service, { name, endpoints, ports }: Wanted): Promise<void> {
    const { namespace = '' } = service.metadata;
    const known = this.#slices.get(`${namespace}/${name}`);
    const labels = { ...service.metadata.labels, ...labelsOf(service) };
    if (known && sameContent(known, endpoints, ports) && sameLabels(known.metadata.labels, labels)) return;
    const annotations = { [TRIGGER]: timestamp() };
    const slice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      addressType: 'IPv4',
      endpoints,
      ports,
    };
    const collection = inNamespace(collections.endpointSlices, namespace);
    if (known) {
      const metadata = { ...known.metadata, labels, annotations: { ...known.metadata.annotations, ...annotations } };
      this.#slices.learn(await this.#context.client.replace(`${collection}/${name}`, { ...slice, metadata }));
      return;
    }
    const metadata = {
      name,
      generateName: `${service.metadata.name}-`,
      namespace,
      labels,
      annotations,
      ownerReferences: [ownerReference(service)],
    };
    this.#slices.learn(await this.#context.client.create(collection, { ...slice, metadata }));
  }

  async #remove(slice: EndpointSlice): Promise<void> {
    await this.#context.client.remove(pathOf(collections.endpointSlices, slice)).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
  }
}

/** When the change was made that a slice follows. */
const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';

const isOurs = (slice: EndpointSlice): boolean => slice.metadata.labels?.[MANAGED_BY] === MANAGER;

/** The same Service always gets the same name, so that a second writer conflicts instead of doubling the slice. */
function sliceName(service: Service, ports: string): string {
  const hash = createHash('sha256').update(`${service.metadata.uid}${ports}`).digest();
  return `${service.metadata.name}-${[...hash.subarray(0, 5)].map((byte) => letters[byte % letters.length]).join('')}`;
}
const letters = 'bcdfghjklmnpqrstvwxz2456789';

const labelsOf = (service: Service): Record<string, string> => ({
  [SERVICE_LABEL]: service.metadata.name,
  [MANAGED_BY]: MANAGER,
  ...(service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {}),
});

const sameContent = (known: EndpointSlice, endpoints: Wanted['endpoints'], ports: Wanted['ports']): boolean =>
  canonical(known.endpoints ?? []) === canonical(endpoints ?? []) &&
  canonical(known.ports ?? []) === canonical(ports ?? []);

const sameLabels = (known: Record<string, string> = {}, wanted: Record<string, string>): boolean =>
  canonical(known) === canonical(wanted);

/** JSON with sorted keys: the API server may answer fields in another order than they were sent. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, field: unknown) =>
    field && typeof field === 'object' && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );

const ownerReference = ({ metadata: { name, uid } }: Service) => ({
  apiVersion: 'v1',
  kind: 'Service',
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
