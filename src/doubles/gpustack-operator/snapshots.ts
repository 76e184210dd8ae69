import { isStatus } from '../../cluster/errors.ts';
import { KubeClient } from '../../cluster/rest.ts';
import type { Answer, KubeObject, RequestOptions } from '../../cluster/rest.ts';
import { kindOf, readable, type Kind, type Snapshot } from './snapshot.ts';

/** What one namespace holds of each kind, as far as it was read and nothing has changed since. */
interface Held {
  lists: Map<Kind, Promise<KubeObject[]>>;
  namespace?: Promise<KubeObject>;
}

/**
 * Looks at namespaces, and reads again only the kinds in which something changed: what the watches tell, and what its own
 * client wrote, so that no decision is taken on a state from before a write of the operator itself.
 */
export class Snapshots {
  /** The client to write with: what goes through it is looked at anew. */
  readonly client: KubeClient;
  readonly #held = new Map<string, Held>();

  constructor(client: KubeClient) {
    this.client = new TellingClient(client.connection, (path) => this.#wrote(path));
  }

  /** Undefined where the namespace is gone. */
  async read(ns: string): Promise<Snapshot | undefined> {
    const held = this.#of(ns);
    try {
      const list = <T extends KubeObject>(kind: Kind): Promise<T[]> => {
        const known = held.lists.get(kind) ?? this.client.list(readable[kind](ns));
        held.lists.set(kind, known);
        return known as Promise<T[]>;
      };
      held.namespace ??= this.client.get(`/api/v1/namespaces/${ns}`);
      const [namespace, deployments, pods, workloads, services, routers] = await Promise.all([
        held.namespace,
        list<Snapshot['deployments'][number]>('deployments'),
        list<Snapshot['pods'][number]>('pods'),
        list<Snapshot['workloads'][number]>('workloads'),
        list('services'),
        list('routers'),
      ]);
      return { namespace, deployments, pods, workloads, services, routers };
    } catch (error) {
      this.#held.delete(ns);
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }

  /** Something of this kind has changed there. */
  changed(kind: Kind, ns: string): void {
    const held = this.#held.get(ns);
    held?.lists.delete(kind);
    // A namespace that goes takes what is in it along.
    if (kind === 'deployments') delete held?.namespace;
  }

  #of(ns: string): Held {
    const held = this.#held.get(ns) ?? { lists: new Map() };
    this.#held.set(ns, held);
    return held;
  }

  #wrote(path: string): void {
    const ns = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
    const kind = ns && kindOf(path, ns);
    if (kind) this.changed(kind, ns);
  }
}

/** A client that tells of each write, before it is sent and after it was answered. */
class TellingClient extends KubeClient {
  readonly #wrote: (path: string) => void;

  constructor(connection: KubeClient['connection'], wrote: (path: string) => void) {
    super(connection);
    this.#wrote = wrote;
  }

  override async exchange<T = KubeObject>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>> {
    if (method === 'GET') return super.exchange<T>(method, path, options);
    try {
      return await super.exchange<T>(method, path, options);
    } finally {
      this.#wrote(path);
    }
  }
}
