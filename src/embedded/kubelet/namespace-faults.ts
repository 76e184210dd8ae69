import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import { FAULTS_ANNOTATION } from '../environment.ts';
import { parseFaults } from '../faults.ts';

const NONE: ReadonlySet<string> = new Set();

/** Which faults are switched on in which namespace, kept up to date by a watch. */
export class NamespaceFaults {
  readonly #client: KubeClient;
  readonly #watch: Watch;
  readonly #known = new Map<string, ReadonlySet<string>>();
  readonly ready: Promise<void>;

  constructor(client: KubeClient) {
    this.#client = client;
    this.#watch = new Watch(client, '/api/v1/namespaces', {
      event: (type, object) => {
        if (type === 'DELETED') this.#known.delete(object.metadata.name);
        else this.#learn(object);
      },
    });
    this.ready = this.#watch.ready;
  }

  of(namespace: string): ReadonlySet<string> {
    return this.#known.get(namespace) ?? NONE;
  }

  /** A Pod can be heard of before its namespace: asks for one that is unknown. */
  async learn(namespace: string): Promise<void> {
    if (this.#known.has(namespace)) return;
    try {
      this.#learn(await this.#client.get(`/api/v1/namespaces/${namespace}`));
    } catch {
      // no such namespace: no faults
    }
  }

  stop(): void {
    this.#watch.stop();
  }

  #learn({ metadata }: KubeObject): void {
    this.#known.set(metadata.name, parseFaults(metadata.annotations?.[FAULTS_ANNOTATION]));
  }
}
