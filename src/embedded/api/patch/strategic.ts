import { badRequest } from '../errors.ts';
import { isFields, same } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { unsafe } from './merge.ts';
import { listRule } from './merge-keys.ts';

const DIRECTIVE = '$patch';
const RETAIN = '$retainKeys';
const DELETE_FROM = '$deleteFromPrimitiveList/';
const ORDER = '$setElementOrder/';

/**
 * A strategic merge patch: lists of built-in kinds are merged by their merge keys, and the `$` directives of
 * kubectl are followed. Answers the patched object; `target` itself is not changed.
 * @throws ApiError 400 for a list item without its merge key, or an unknown directive
 */
export function strategicPatch(target: Fields, patch: Fields, kind: string): Fields {
  return mergeFields(target, patch, kind, '');
}

function mergeFields(target: Fields, patch: Fields, kind: string, parent: string): Fields {
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return withoutDirectives(patch) as Fields;
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw badRequest(`unknown patch directive ${JSON.stringify(directive)}`);
  const result: Fields = { ...target };
  const retained = patch[RETAIN];
  if (Array.isArray(retained)) {
    for (const name of Object.keys(result)) if (!retained.includes(name)) delete result[name];
  }
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith('$') || unsafe(name)) continue;
    if (value === null) delete result[name];
    else if (Array.isArray(value)) result[name] = mergeList(result[name], value, kind, parent, name);
    else if (isFields(value)) mergeInto(result, name, value, kind);
    else result[name] = value;
  }
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith(DELETE_FROM)) dropFrom(result, name.slice(DELETE_FROM.length), value);
    if (name.startsWith(ORDER)) order(result, name.slice(ORDER.length), value, kind, parent);
  }
  return result;
}

function mergeInto(result: Fields, name: string, value: Fields, kind: string): void {
  const before = result[name];
  if (value[DIRECTIVE] === 'delete') delete result[name];
  else if (isFields(before)) result[name] = mergeFields(before, value, kind, name);
  else result[name] = mergeFields({}, value, kind, name);
}

function mergeList(target: unknown, patch: unknown[], kind: string, parent: string, field: string): unknown[] {
  const rule = listRule(kind, parent, field);
  const before: unknown[] = Array.isArray(target) ? target : [];
  if (rule === 'atomic') return patch.map(withoutDirectives);
  if (rule === 'set') return [...before, ...patch.filter((item) => !before.includes(item))];
  const replaces = patch.some((item) => isFields(item) && item[DIRECTIVE] === 'replace');
  let result = replaces ? [] : [...before];
  for (const item of patch) {
    if (!isFields(item)) throw badRequest(`list ${field}: items must be objects with the merge key ${rule.key}`);
    // A bare `$patch: replace` only empties the list.
    if (item[DIRECTIVE] === 'replace' && Object.keys(item).length === 1) continue;
    const id = item[rule.key];
    if (id === undefined)
      throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${rule.key}`);
    const index = result.findIndex((known) => isFields(known) && same(known[rule.key], id));
    if (item[DIRECTIVE] === 'delete') result = result.filter((_, i) => i !== index);
    else if (index < 0) result.push(mergeFields({}, item, kind, field));
    else result[index] = mergeFields(result[index] as Fields, item, kind, field);
  }
  return result;
}

function dropFrom(result: Fields, field: string, values: unknown): void {
  const list = result[field];
  if (Array.isArray(list) && Array.isArray(values)) result[field] = list.filter((item) => !values.includes(item));
}

/** Puts the named items in the order that the patch gives; others keep their place behind them. */
function order(result: Fields, field: string, wanted: unknown, kind: string, parent: string): void {
  if (!Array.isArray(result[field]) || !Array.isArray(wanted)) return;
  const list: unknown[] = result[field];
  const rule = listRule(kind, parent, field);
  const key = typeof rule === 'object' ? rule.key : undefined;
  const idOf = (item: unknown) => (key !== undefined && isFields(item) ? item[key] : item);
  const place = (item: unknown) => {
    const index = wanted.findIndex((w) => same(idOf(w), idOf(item)));
    return index < 0 ? wanted.length : index;
  };
  result[field] = [...list].sort((a, b) => place(a) - place(b));
}

function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives);
  if (!isFields(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !name.startsWith('$') && !unsafe(name));
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutDirectives(item)]));
}
