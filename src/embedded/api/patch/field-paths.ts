import { isFields } from '../objects.ts';
import type { Fields } from '../objects.ts';
import type { Schema } from '../crd/schema.ts';
import { fieldSchema } from '../crd/schema.ts';
import { applyKeys } from './merge-keys.ts';

/** How lists are merged while walking down an object: by the schema of a custom kind, else by the built-in table. */
export interface Place {
  kind: string;
  parent: string;
  schema?: Schema | undefined;
}

/** The keys of a list's items, or how else the list is treated. */
export function keysOf(place: Place, field: string): string[] | 'set' | 'atomic' {
  const own = place.schema ? fieldSchema(place.schema, field) : undefined;
  if (!place.schema || field === 'finalizers' || field === 'ownerReferences')
    return applyKeys(place.kind, place.parent, field);
  const type = own?.['x-kubernetes-list-type'];
  if (type === 'map') return own?.['x-kubernetes-list-map-keys'] ?? 'atomic';
  return type === 'set' ? 'set' : 'atomic';
}

/** The place of a field, or of an item of the list there. */
export function inside(place: Place, field: string, item = false): Place {
  const own = place.schema ? fieldSchema(place.schema, field) : undefined;
  return { kind: place.kind, parent: field, schema: place.schema ? ((item ? own?.items : own) ?? {}) : undefined };
}

/** The identity of an item, with the protocol that Kubernetes fills in. */
export function identity(item: Fields, keys: string[]): Fields {
  const pairs = keys.map((key) => [key, item[key] ?? (key === 'protocol' ? 'TCP' : undefined)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** `fieldsV1` of a managed-fields entry: the tree of the fields that a manager applied. */
export type FieldTree = { [segment: string]: FieldTree };

/** The tree of everything that `value` sets. An object under a key of a free map is owned as such, like an item of a list. */
export function treeOf(value: Fields, place: Place): FieldTree {
  const tree: FieldTree = {};
  for (const [name, field] of Object.entries(value)) {
    const own = branch(field, place, name);
    tree[`f:${name}`] =
      isFields(field) && isKey(place, name) && Object.keys(own).length > 0 ? { '.': {}, ...own } : own;
  }
  return tree;
}

/** Whether a schema leaves it open which names stand here, so that each is a key and no field. */
const isKey = ({ schema }: Place, name: string): boolean =>
  schema !== undefined &&
  !['metadata', 'apiVersion', 'kind'].includes(name) &&
  !Object.hasOwn(schema.properties ?? {}, name);

function branch(value: unknown, place: Place, name: string): FieldTree {
  if (isFields(value)) return treeOf(value, inside(place, name));
  if (!Array.isArray(value)) return {};
  const keys = keysOf(place, name);
  if (keys === 'atomic') return {};
  const tree: FieldTree = {};
  for (const item of value) {
    if (keys === 'set') tree[`v:${JSON.stringify(item)}`] = {};
    else if (isFields(item))
      tree[`k:${JSON.stringify(identity(item, keys))}`] = { '.': {}, ...treeOf(item, inside(place, name, true)) };
  }
  return tree;
}

/** What is in `a` and in none of `others`, leaf by leaf. */
export function without(a: FieldTree, others: FieldTree[]): FieldTree {
  const rest: FieldTree = {};
  for (const [segment, sub] of Object.entries(a)) {
    const holders = others.flatMap((tree) => tree[segment] ?? []);
    if (holders.length === 0) rest[segment] = sub;
    else {
      // Whoever holds something of an item keeps it there.
      const { '.': _, ...left } = without(sub, holders);
      if (Object.keys(left).length > 0) rest[segment] = left;
    }
  }
  return rest;
}
