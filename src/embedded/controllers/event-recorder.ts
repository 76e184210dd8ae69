import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { timestamp } from './objects.ts';

interface Told {
  path: string;
  count: number;
}

/** Repeated events are counted in one object, for at most this many different ones. */
const REMEMBERED = 500;

/** Writes core/v1 Events as the controllers of Kubernetes do: never waited for, never a reason to fail. */
export class EventRecorder {
  readonly #client: KubeClient;
  readonly #told = new Map<string, Promise<Told | undefined>>();
  #serial = 0;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** `kind` and `apiVersion` are told apart, as objects of a list carry neither. */
  record(
    object: KubeObject,
    kind: { apiVersion: string; kind: string },
    event: { type: 'Normal' | 'Warning'; reason: string; message: string; component: string },
  ): void {
    const key = [object.metadata.uid, event.component, event.reason, event.message].join('\n');
    const former = this.#told.get(key);
    const next = (former ?? Promise.resolve(undefined)).then((told) =>
      told ? this.#count(told) : this.#create(object, kind, event),
    );
    this.#told.delete(key);
    this.#told.set(key, next);
    const oldest = this.#told.keys().next();
    if (this.#told.size > REMEMBERED && !oldest.done) this.#told.delete(oldest.value);
  }

  async #create(
    { metadata }: KubeObject,
    kind: { apiVersion: string; kind: string },
    { type, reason, message, component }: Parameters<EventRecorder['record']>[2],
  ): Promise<Told | undefined> {
    const namespace = metadata.namespace ?? 'default';
    this.#serial += 1;
    const name = `${metadata.name}.${Date.now().toString(16)}${this.#serial.toString(16).padStart(5, '0')}`;
    const at = timestamp();
    try {
      await this.#client.create(`/api/v1/namespaces/${namespace}/events`, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject: {
          ...kind,
          name: metadata.name,
          ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
          uid: metadata.uid,
          resourceVersion: metadata.resourceVersion,
        },
        type,
        reason,
        message,
        source: { component },
        reportingComponent: component,
        reportingInstance: '',
        firstTimestamp: at,
        lastTimestamp: at,
        count: 1,
      });
      return { path: `/api/v1/namespaces/${namespace}/events/${name}`, count: 1 };
    } catch {
      return undefined; // a namespace that is going takes no more events
    }
  }

  async #count({ path, count }: Told): Promise<Told | undefined> {
    try {
      await this.#client.patch(path, { count: count + 1, lastTimestamp: timestamp() });
      return { path, count: count + 1 };
    } catch {
      return undefined;
    }
  }
}

export const kinds = {
  pod: { apiVersion: 'v1', kind: 'Pod' },
  node: { apiVersion: 'v1', kind: 'Node' },
  replicaSet: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  deployment: { apiVersion: 'apps/v1', kind: 'Deployment' },
} as const;
