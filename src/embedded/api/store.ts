import type { KubeObject } from '../../cluster/rest.ts';

/** One change of one object. `previous` is its state before; `object` after it, or its last one where it was removed. */
export interface StoreEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  version: number;
  object: KubeObject;
  previous?: KubeObject;
}

/** Changes that a kind remembers for watches that resume; an older version is answered 410. */
const HISTORY_PER_KIND = 1000;

interface Kind {
  /** By `namespace/name`. */
  objects: Map<string, KubeObject>;
  history: StoreEvent[];
  /** The newest version that a watch can no longer resume from. */
  forgotten: number;
  listeners: Set<(event: StoreEvent) => void>;
}

/**
 * All objects, in memory, with one global version. Objects in it are never changed in place: who wants to change one
 * clones it and puts the clone.
 */
export class Store {
  readonly #kinds = new Map<string, Kind>();
  readonly #historyLimit: number;
  #version = 1;

  constructor(historyLimit = HISTORY_PER_KIND) {
    this.#historyLimit = historyLimit;
  }

  /** The resourceVersion of the last change. */
  get version(): number {
    return this.#version;
  }

  get(storage: string, namespace: string, name: string): KubeObject | undefined {
    return this.#kinds.get(storage)?.objects.get(`${namespace}/${name}`);
  }

  /** Objects of a kind in the order of namespace and name; of one namespace where it is given. */
  list(storage: string, namespace?: string): KubeObject[] {
    const kind = this.#kinds.get(storage);
    if (!kind) return [];
    const keys = [...kind.objects.keys()].filter((key) => !namespace || key.startsWith(`${namespace}/`));
    return keys.sort().map((key) => kind.objects.get(key) as KubeObject);
  }

  count(storage: string): number {
    return this.#kinds.get(storage)?.objects.size ?? 0;
  }

  /** The object of a kind that was added first. */
  oldest(storage: string): KubeObject | undefined {
    return this.#kinds.get(storage)?.objects.values().next().value;
  }

  /** Stores a new state of an object, gives it its resourceVersion, and tells every watch. */
  put(storage: string, object: KubeObject): KubeObject {
    const kind = this.#kind(storage);
    const key = keyOf(object);
    const previous = kind.objects.get(key);
    const version = this.#next(object);
    kind.objects.set(key, object);
    this.#tell(kind, { type: previous ? 'MODIFIED' : 'ADDED', version, object, ...(previous ? { previous } : {}) });
    return object;
  }

  /** Removes an object; watches see `last` (default: its stored state) with the version of the removal. */
  remove(storage: string, namespace: string, name: string, last?: KubeObject): KubeObject | undefined {
    const kind = this.#kind(storage);
    const previous = kind.objects.get(`${namespace}/${name}`);
    if (!previous) return undefined;
    const object = { ...(last ?? previous), metadata: { ...(last ?? previous).metadata } };
    const version = this.#next(object);
    kind.objects.delete(`${namespace}/${name}`);
    this.#tell(kind, { type: 'DELETED', version, object, previous });
    return object;
  }

  /** Calls `listener` at once, in order, with every later change of a kind; answers how to stop it. */
  subscribe(storage: string, listener: (event: StoreEvent) => void): () => void {
    const { listeners } = this.#kind(storage);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** The changes of a kind after `version`; undefined where they are no longer known. */
  since(storage: string, version: number): StoreEvent[] | undefined {
    const kind = this.#kind(storage);
    if (version < kind.forgotten || version > this.#version) return undefined;
    let low = 0;
    let high = kind.history.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((kind.history[middle] as StoreEvent).version > version) high = middle;
      else low = middle + 1;
    }
    return kind.history.slice(low);
  }

  /** Forgets the past of a kind, as a compaction does. */
  compact(storage: string): void {
    const kind = this.#kind(storage);
    kind.history = [];
    kind.forgotten = this.#version;
  }

  #next(object: KubeObject): number {
    this.#version += 1;
    object.metadata.resourceVersion = String(this.#version);
    return this.#version;
  }

  #tell(kind: Kind, event: StoreEvent): void {
    kind.history.push(event);
    // Cut in halves, so that the cost of the cut is spread over many changes.
    if (kind.history.length > 2 * this.#historyLimit) {
      const cut = kind.history.splice(0, this.#historyLimit);
      kind.forgotten = cut.at(-1)?.version ?? kind.forgotten;
    }
    for (const listener of [...kind.listeners]) listener(event);
  }

  #kind(storage: string): Kind {
    let kind = this.#kinds.get(storage);
    if (!kind) {
      kind = { objects: new Map(), history: [], forgotten: 0, listeners: new Set() };
      this.#kinds.set(storage, kind);
    }
    return kind;
  }
}

const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name}`;
