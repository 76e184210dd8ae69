import { clone, isFields } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { below, fieldSchema } from './schema.ts';
import type { Schema } from './schema.ts';

/** Fields of every object that no schema needs to name. */
const ownFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes in place what the schema does not know, as the API server prunes custom objects.
 * Answers the paths of what was removed.
 */
export function prune(value: unknown, schema: Schema, path = '', isResource = true): string[] {
  if (Array.isArray(value)) {
    const items = schema.items;
    return items ? value.flatMap((item, i) => prune(item, items, `${path}[${i}]`, embedded(items))) : [];
  }
  if (!isFields(value)) return [];
  const removed: string[] = [];
  for (const name of Object.keys(value)) {
    if (isResource && ownFields.has(name)) continue;
    const known = fieldSchema(schema, name);
    if (known) {
      if (!(known['x-kubernetes-preserve-unknown-fields'] && !known.properties)) {
        removed.push(...prune(value[name], known, below(path, name), embedded(known)));
      }
    } else if (!schema['x-kubernetes-preserve-unknown-fields']) {
      delete value[name];
      removed.push(below(path, name));
    }
  }
  return removed;
}

const embedded = (schema: Schema) => schema['x-kubernetes-embedded-resource'] === true;

/** Removes in place the nulls of fields that may not be null, as the API server does before it fills in defaults. */
export function dropNulls(value: unknown, schema: Schema): void {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items) for (const item of value) dropNulls(item, items);
    return;
  }
  if (!isFields(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const known = fieldSchema(schema, name);
    if (!known) continue;
    if (field === null && !known.nullable && schema.properties?.[name]) delete value[name];
    else dropNulls(field, known);
  }
}

/** Fills in place the defaults of the schema where a field is absent, or null and may not be. */
export function fillDefaults(value: unknown, schema: Schema): void {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items) for (const item of value) fillDefaults(item, items);
    return;
  }
  if (!isFields(value)) return;
  for (const [name, known] of Object.entries(schema.properties ?? {})) {
    const present = value[name];
    const missing = present === undefined || (present === null && !known.nullable);
    if (missing && known.default !== undefined) setField(value, name, clone(known.default));
    fillDefaults(value[name], known);
  }
  const rest = schema.additionalProperties;
  if (typeof rest !== 'object') return;
  for (const [name, item] of Object.entries(value)) if (!schema.properties?.[name]) fillDefaults(item, rest);
}

function setField(holder: Fields, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}
