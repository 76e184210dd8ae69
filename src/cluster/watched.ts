import type { KubeObject } from './rest.ts';

export type WatchType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A change that is news to the owner of a watch. */
export interface Change<T extends KubeObject> {
  type: WatchType;
  object: T;
}

/** The objects of a watched collection, and what is news about them. */
export class Watched<T extends KubeObject> {
  readonly objects = new Map<string, T>();

  /** Takes one event; answers what is news in it: nothing for a repeated or older one, a lost delete before a new UID. */
  take(type: WatchType, object: T): Change<T>[] {
    const id = key(object);
    const known = this.objects.get(id);
    const same = known?.metadata.uid === object.metadata.uid;
    if (type === 'DELETED') {
      if (!known || !same) return [];
      this.objects.delete(id);
      return [{ type, object }];
    }
    if (known && !isNewer(object.metadata, known.metadata)) return [];
    this.objects.set(id, object);
    return known && !same
      ? [
          { type: 'DELETED', object: known },
          { type: 'ADDED', object },
        ]
      : [{ type, object }];
  }

  /**
   * What a list says and is not known yet; nothing is taken over. With `version`, the list's own, what is known may be
   * newer than the list; without it the list counts, even if the versions of its server began anew.
   */
  compare(items: readonly T[], version?: string): Change<T>[] {
    const newer = (one: Versioned, other: Versioned) =>
      version === undefined ? one.resourceVersion !== other.resourceVersion : isNewer(one, other);
    const fresh = new Map(items.map((item) => [key(item), item]));
    const changes: Change<T>[] = [];
    for (const [id, known] of this.objects) {
      if (fresh.get(id)?.metadata.uid === known.metadata.uid) continue;
      if (version !== undefined && isNewer(known.metadata, { resourceVersion: version })) continue;
      changes.push({ type: 'DELETED', object: known });
    }
    for (const [id, object] of fresh) {
      const known = this.objects.get(id);
      if (known?.metadata.uid === object.metadata.uid) {
        if (known && newer(object.metadata, known.metadata)) changes.push({ type: 'MODIFIED', object });
      } else if (!known || newer(object.metadata, known.metadata)) changes.push({ type: 'ADDED', object });
    }
    return changes;
  }

  /** Takes a fresh list over; answers what was news in it. */
  replace(items: readonly T[]): Change<T>[] {
    const changes = this.compare(items);
    this.objects.clear();
    for (const item of items) this.objects.set(key(item), item);
    return changes;
  }
}

interface Versioned {
  resourceVersion?: string;
}

export const key = (object: KubeObject): string => `${object.metadata.namespace ?? ''}/${object.metadata.name}`;

/** Resource versions are opaque by contract and whole numbers in fact; where they are none, any other one is newer. */
function isNewer({ resourceVersion: one = '' }: Versioned, { resourceVersion: other = '' }: Versioned): boolean {
  const numbers = /^\d+$/.test(one) && /^\d+$/.test(other);
  return numbers ? BigInt(one) > BigInt(other) : one !== other || one === '';
}
