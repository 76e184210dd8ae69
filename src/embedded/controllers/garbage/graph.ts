import type { KubeObject, OwnerReference } from '../../../cluster/rest.ts';
import type { Kind } from '../kinds.ts';

/** An object of the cluster, with what it takes to reach it. */
export interface Entry {
  kind: Kind;
  object: KubeObject;
}

export const ownersOf = (object: KubeObject): OwnerReference[] => object.metadata.ownerReferences ?? [];
export const uidOf = (object: KubeObject): string => object.metadata.uid ?? '';

/** Who owns whom, by uid. */
export class OwnerGraph {
  readonly #entries = new Map<string, Entry>();
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): Entry | undefined {
    return this.#entries.get(uid);
  }

  set(entry: Entry): void {
    const uid = uidOf(entry.object);
    this.#unlink(uid);
    this.#entries.set(uid, entry);
    for (const owner of ownersOf(entry.object)) {
      const dependents = this.#dependents.get(owner.uid) ?? new Set();
      this.#dependents.set(owner.uid, dependents.add(uid));
    }
  }

  delete(uid: string): void {
    this.#unlink(uid);
    this.#entries.delete(uid);
  }

  dependents(uid: string): Entry[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#entries.get(dependent) ?? []);
  }

  #unlink(uid: string): void {
    const former = this.#entries.get(uid);
    for (const owner of former ? ownersOf(former.object) : []) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}
