import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import type { WatchType } from '../../cluster/watch.ts';
import { keyOf } from './objects.ts';

/** Hears of a change; `former` is what was known before it. */
export type Listener<T extends KubeObject> = (type: WatchType, object: T, former: T | undefined) => void;

/**
 * What is known of one collection, shared by all controllers that need it. A controller hands over what its own writes
 * answered (`learn`), so that it never acts twice because the watch has not told yet.
 */
export class Informer<T extends KubeObject = KubeObject> {
  readonly collection: string;
  readonly #watch: Watch<T>;
  readonly #objects = new Map<string, T>();
  readonly #listeners = new Set<Listener<T>>();
  /** The newest version that the watch has told: later answers of writes are news, earlier ones are not. */
  #seen = 0;

  constructor(client: KubeClient, collection: string) {
    this.collection = collection;
    this.#watch = new Watch<T>(client, collection, {
      event: (type, object) => this.#event(type, object),
      synced: (version) => this.#synced(Number(version)),
    });
  }

  /** Settles when the first list was handed over. */
  get ready(): Promise<void> {
    return this.#watch.ready;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  /** Calls `listener` for each object that is known already and for each change from now on. */
  listen(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    for (const object of [...this.#objects.values()]) listener('ADDED', object, undefined);
    return () => this.#listeners.delete(listener);
  }

  /** Takes in an object that a write answered, unless the watch is past it. */
  learn(object: T): void {
    if (version(object) <= this.#seen) return;
    const key = keyOf(object);
    const known = this.#objects.get(key);
    if (!known || version(known) < version(object)) this.#objects.set(key, object);
  }

  stop(): void {
    this.#watch.stop();
    this.#listeners.clear();
  }

  #event(type: WatchType, object: T): void {
    this.#seen = Math.max(this.#seen, version(object));
    const key = keyOf(object);
    const former = this.#objects.get(key);
    if (type === 'DELETED') {
      if (former?.metadata.uid === object.metadata.uid) this.#objects.delete(key);
    } else if (!former || version(former) <= version(object)) {
      this.#objects.set(key, object);
    }
    for (const listener of this.#listeners) listener(type, object, former);
  }

  /** After a relist, what was learnt from a write and has gone meanwhile must not stay for ever. */
  #synced(listed: number): void {
    for (const [key, object] of this.#objects) {
      if (!this.#watch.objects.has(key) && version(object) <= listed) this.#objects.delete(key);
    }
    this.#seen = Math.max(this.#seen, listed);
  }
}

const version = (object: KubeObject): number => Number(object.metadata.resourceVersion ?? 0);

/** One informer a collection, started by the first who asks. */
export class Informers {
  readonly #client: KubeClient;
  readonly #informers = new Map<string, Informer>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  of<T extends KubeObject>(collection: string): Informer<T> {
    let informer = this.#informers.get(collection);
    if (!informer) {
      informer = new Informer(this.#client, collection);
      this.#informers.set(collection, informer);
    }
    return informer as unknown as Informer<T>;
  }

  /** Settles when every informer that was asked for has its first list. */
  async ready(): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer.ready));
  }

  /** Ends the watch of a collection that exists no more (its CRD was deleted). */
  drop(collection: string): void {
    this.#informers.get(collection)?.stop();
    this.#informers.delete(collection);
  }

  stop(): void {
    for (const informer of this.#informers.values()) informer.stop();
  }
}
