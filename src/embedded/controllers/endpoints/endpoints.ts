import { isStatus } from '../../../cluster/errors.ts';
import type { Context, Controller } from '../context.ts';
import type { Informer } from '../informer.ts';
import { isTerminating, keyOf, timestamp } from '../objects.ts';
import type { Pod, Service } from '../objects.ts';
import { collections, inNamespace } from '../paths.ts';
import { WorkQueue } from '../queue.ts';
import { endpointOf, isEndpoint, portsOn } from './endpoint.ts';
import { servicesOf } from './services-of.ts';

interface Address {
  ip: string;
  nodeName?: string;
  targetRef?: object;
}

interface Subset {
  addresses?: Address[];
  notReadyAddresses?: Address[];
  ports: object[];
}

/** Writes the old Endpoints object of each Service for clients that still read it: leaving Pods are not in it. */
export class LegacyEndpoints implements Controller {
  readonly #context: Context;
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  readonly #written = new Map<string, string>();
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#services = context.informers.of(collections.services);
    this.#pods = context.informers.of(collections.pods);
    this.#queue = new WorkQueue('endpoints-controller', (key) => this.#reconcile(key), context.log);
    this.#services.listen((_type, service) => this.#queue.add(keyOf(service)));
    this.#pods.listen((_type, pod, former) => {
      for (const key of servicesOf(this.#services, pod, former)) this.#queue.add(key);
    });
  }

  stop(): void {
    this.#queue.stop();
  }

  async #reconcile(key: string): Promise<void> {
    const service = this.#services.get(key);
    if (!service || isTerminating(service)) {
      this.#written.delete(key);
      return;
    }
    if (!service.spec.selector || service.spec.type === 'ExternalName') return;
    const subsets = this.#subsets(service);
    const id = service.metadata.uid + JSON.stringify(subsets);
    if (this.#written.get(key) === id) return;
    await this.#write(service, subsets);
    this.#written.set(key, id);
  }

  #subsets(service: Service): Subset[] {
    const groups = new Map<string, { addresses: Address[]; notReadyAddresses: Address[]; ports: object[] }>();
    for (const pod of this.#pods.values()) {
      const publish = service.spec.publishNotReadyAddresses === true;
      if (!isEndpoint(service, pod) || (isTerminating(pod) && !publish)) continue;
      const ports = portsOn(service, pod);
      const id = JSON.stringify(ports);
      const group = groups.get(id) ?? { addresses: [], notReadyAddresses: [], ports };
      groups.set(id, group);
      const { addresses, conditions, nodeName, targetRef } = endpointOf(service, pod);
      const address = {
        ip: addresses[0] ?? '',
        ...(nodeName ? { nodeName } : {}),
        ...(targetRef ? { targetRef } : {}),
      };
      (conditions?.ready ? group.addresses : group.notReadyAddresses).push(address);
    }
    return [...groups.values()].map(({ addresses, notReadyAddresses, ports }) => ({
      ...(addresses.length > 0 ? { addresses } : {}),
      ...(notReadyAddresses.length > 0 ? { notReadyAddresses } : {}),
      ports,
    }));
  }

  async #write({ metadata }: Service, subsets: Subset[]): Promise<void> {
    const { name, namespace = '', labels, uid } = metadata;
    const collection = inNamespace(collections.endpoints, namespace);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Service', name, uid }];
    const body = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        name,
        namespace,
        labels: { ...labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
        annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': timestamp() },
        ownerReferences,
      },
      subsets,
    };
    try {
      await this.#context.client.replace(`${collection}/${name}`, body);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      await this.#context.client.create(collection, body);
    }
  }
}
