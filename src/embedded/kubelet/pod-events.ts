import type { KubeClient } from '../../cluster/rest.ts';
import type { Pod } from './pod.ts';
import { apiTime } from './stamps.ts';

interface Told {
  path: string;
  count: number;
  /** Settles when the last write is done. */
  written: Promise<void>;
}

/** Different events that are counted instead of written anew; a real kubelet bounds them too. */
const REMEMBERED = 1000;

export interface PodEvent {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  /** Field of the Pod that it is about, such as `spec.containers{main}`. */
  fieldPath?: string | undefined;
}

/** Writes the core/v1 Events of a kubelet. An event that cannot be written is no reason to fail. */
export class PodEvents {
  readonly #client: KubeClient;
  readonly #told = new Map<string, Told>();
  #serial = 0;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Settles when the API server has it. */
  record(pod: Pod, event: PodEvent): Promise<void> {
    const key = [pod.metadata.uid, event.reason, event.fieldPath, event.message].join('\n');
    const told = this.#told.get(key);
    if (told) {
      told.count += 1;
      const { count } = told;
      told.written = told.written.then(() =>
        this.#try(() => this.#client.patch(told.path, { count, lastTimestamp: apiTime() })),
      );
      return told.written;
    }
    const namespace = pod.metadata.namespace ?? 'default';
    this.#serial += 1;
    const name = `${pod.metadata.name}.${Date.now().toString(16)}${this.#serial.toString(16).padStart(6, '0')}`;
    const written = this.#try(() =>
      this.#client.create(`/api/v1/namespaces/${namespace}/events`, body(pod, event, name, namespace)),
    );
    this.#told.set(key, { path: `/api/v1/namespaces/${namespace}/events/${name}`, count: 1, written });
    const oldest = this.#told.keys().next();
    if (this.#told.size > REMEMBERED && !oldest.done) this.#told.delete(oldest.value);
    return written;
  }

  async #try(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch {
      // the namespace is going, or the server is away
    }
  }
}

function body(pod: Pod, { type, reason, message, fieldPath }: PodEvent, name: string, namespace: string) {
  const at = apiTime();
  const host = pod.spec.nodeName ?? '';
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace,
      name: pod.metadata.name,
      uid: pod.metadata.uid,
      resourceVersion: pod.metadata.resourceVersion,
      ...(fieldPath === undefined ? {} : { fieldPath }),
    },
    type,
    reason,
    message: message.slice(0, 1024),
    source: { component: 'kubelet', host },
    reportingComponent: 'kubelet',
    reportingInstance: host,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
}
