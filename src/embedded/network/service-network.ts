import type { KubeClient } from '../../cluster/rest.ts';
import { EventRecorder } from '../controllers/event-recorder.ts';
import { Informers } from '../controllers/informer.ts';
import { isTerminating, keyOf } from '../controllers/objects.ts';
import type { EndpointSlice, Service } from '../controllers/objects.ts';
import { collections } from '../controllers/paths.ts';
import { backendsOf } from './backends.ts';
import { ServiceListener } from './listener.ts';

const SERVICE_LABEL = 'kubernetes.io/service-name';
const COMPONENT = 'service-proxy';

/** What stands for kube-proxy: every TCP port of every Service with a cluster address is a listener on that address. */
export class ServiceNetwork {
  readonly #informers: Informers;
  readonly #events: EventRecorder;
  /** Slices by the Service they are of, then by their own name. */
  readonly #slices = new Map<string, Map<string, EndpointSlice>>();
  /** Listeners by Service, then by `address:port/name`. */
  readonly #listeners = new Map<string, Map<string, ServiceListener>>();
  /** Listeners that take no more connections and still have some. */
  readonly #closed = new Set<ServiceListener>();

  constructor(client: KubeClient) {
    this.#informers = new Informers(client);
    this.#events = new EventRecorder(client);
    this.#informers.of<EndpointSlice>(collections.endpointSlices).listen((type, slice) => this.#keep(type, slice));
    this.#informers.of<Service>(collections.services).listen((type, service) => {
      this.#serve(service, type === 'DELETED' || isTerminating(service) ? [] : portsOf(service));
    });
  }

  /** Settles when the Services that exist have been read. */
  get ready(): Promise<void> {
    return this.#informers.ready();
  }

  stop(): void {
    this.#informers.stop();
    for (const listeners of this.#listeners.values()) for (const listener of listeners.values()) listener.destroy();
    for (const listener of this.#closed) listener.destroy();
  }

  #keep(type: string, slice: EndpointSlice): void {
    const key = `${slice.metadata.namespace ?? ''}/${slice.metadata.labels?.[SERVICE_LABEL] ?? ''}`;
    const slices = this.#slices.get(key) ?? new Map<string, EndpointSlice>();
    if (type === 'DELETED') slices.delete(slice.metadata.name);
    else slices.set(slice.metadata.name, slice);
    if (slices.size > 0) this.#slices.set(key, slices);
    else this.#slices.delete(key);
  }

  #serve(service: Service, ports: { id: string; name: string; address: string; port: number }[]): void {
    const key = keyOf(service);
    const listeners = this.#listeners.get(key) ?? new Map<string, ServiceListener>();
    for (const [id, listener] of listeners) {
      if (ports.some((port) => port.id === id)) continue;
      listeners.delete(id);
      this.#closed.add(listener);
      listener.close(() => this.#closed.delete(listener));
    }
    for (const { id, name, address, port } of ports) {
      if (listeners.has(id)) continue;
      const backends = () => backendsOf(this.#slices.get(key)?.values() ?? [], name);
      const failed = (error: Error) => this.#tell(service, `${address}:${port}: ${error.message}`);
      listeners.set(id, new ServiceListener(address, port, backends, failed));
    }
    if (listeners.size > 0) this.#listeners.set(key, listeners);
    else this.#listeners.delete(key);
  }

  #tell(service: Service, message: string): void {
    const event = { type: 'Warning', reason: 'FailedToListen', message, component: COMPONENT } as const;
    this.#events.record(service, { apiVersion: 'v1', kind: 'Service' }, event);
  }
}

function portsOf({ spec }: Service): { id: string; name: string; address: string; port: number }[] {
  const address = spec.clusterIP;
  if (!address || address === 'None' || spec.type === 'ExternalName') return [];
  return (spec.ports ?? [])
    .filter((port) => (port.protocol ?? 'TCP') === 'TCP')
    .map(({ name = '', port }) => ({ id: `${address}:${port}/${name}`, name, address, port }));
}
