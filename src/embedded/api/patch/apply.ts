import type { KubeObject } from '../../../cluster/rest.ts';
import type { Call } from '../context.ts';
import { ApiError, badRequest } from '../errors.ts';
import { clone, isFields, listOf, same, stamp, textField } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { apiVersionOf } from '../resources.ts';
import { identity, inside, keysOf, treeOf, without } from './field-paths.ts';
import type { FieldTree, Place } from './field-paths.ts';

/** An entry of `metadata.managedFields`; only those of server-side apply are kept. */
interface Managed {
  manager: string;
  operation: 'Apply';
  apiVersion: string;
  time: string;
  fieldsType: 'FieldsV1';
  fieldsV1: FieldTree;
  subresource?: string;
}

/** Fields of metadata that name the object rather than being applied to it. */
const identifying = ['name', 'namespace', 'managedFields', 'resourceVersion', 'uid', 'creationTimestamp', 'generation'];

/**
 * Server-side apply: merges what `manager` wants into the object, removes what it wanted before and no longer does, and
 * remembers its fields. Fields written by other means have no owner here.
 * @throws ApiError 409 where another applier owns a field with another value, unless `force=true`
 */
export function applyPatch(
  call: Call,
  old: KubeObject | undefined,
  body: Fields,
  manager: string,
  part: string,
): Fields {
  const { resource, name, api } = call;
  const metadata = isFields(body['metadata']) ? body['metadata'] : {};
  if (metadata['managedFields'] !== undefined && listOf(metadata['managedFields']).length > 0) {
    throw badRequest('metadata.managedFields must be nil');
  }
  if (metadata['name'] !== undefined && metadata['name'] !== name) {
    throw badRequest(
      `the name of the object (${textField(metadata['name'])}) does not match the name on the URL (${name})`,
    );
  }
  const named = { ...body, metadata: { ...metadata, name: metadata['name'] ?? name } };
  const place: Place = {
    kind: resource.kind,
    parent: '',
    schema: resource.custom ? api.crds.schemaFor(resource.custom, call.namespace) : undefined,
  };
  const wanted = clone(named) as Fields;
  const { apiVersion: _a, kind: _k, ...content } = clone(named) as Fields;
  content['metadata'] = Object.fromEntries(Object.entries(metadata).filter(([field]) => !identifying.includes(field)));
  // An object that names nothing but itself owns nothing of its metadata.
  if (Object.keys(content['metadata'] as Fields).length === 0) delete content['metadata'];
  const tree = treeOf(content, place);
  const entries = listOf<Managed>((old?.metadata as Fields | undefined)?.['managedFields']);
  const subresource = part === 'status' ? 'status' : undefined;
  const mine = entries.find((e) => e.manager === manager && e.subresource === subresource);
  const others = entries.filter((e) => e !== mine);
  if (old) checkConflicts(call, old, wanted, place, tree, others);
  const dropped = without(mine?.fieldsV1 ?? {}, [tree, ...others.map((e) => e.fieldsV1)]);
  const base = old ? removeTree(clone(old), dropped, place) : {};
  const result = mergeApplied(base, wanted, place);
  const entry: Managed = {
    manager,
    operation: 'Apply',
    apiVersion: apiVersionOf(resource),
    time: mine && same(mine.fieldsV1, tree) ? mine.time : stamp(api.now()),
    fieldsType: 'FieldsV1',
    fieldsV1: tree,
    ...(subresource ? { subresource } : {}),
  };
  (result['metadata'] as Fields)['managedFields'] = [...others, entry];
  return result;
}

function checkConflicts(
  call: Call,
  old: KubeObject,
  wanted: Fields,
  place: Place,
  tree: FieldTree,
  others: Managed[],
): void {
  if (call.query.get('force') === 'true') return;
  const causes = others.flatMap((other) =>
    differing(old as unknown as Fields, wanted, common(tree, other.fieldsV1), place, '').map((field) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${JSON.stringify(other.manager)}`,
      field,
    })),
  );
  if (causes.length === 0) return;
  const list = causes.map((c) => c.field).join(', ');
  const text = `Apply failed with ${causes.length} conflict${causes.length > 1 ? 's' : ''}: ${causes[0]?.message}: ${list}`;
  throw new ApiError(409, 'Conflict', text, { causes });
}

function common(a: FieldTree, b: FieldTree): FieldTree {
  const both: FieldTree = {};
  for (const [segment, sub] of Object.entries(a)) if (b[segment]) both[segment] = common(sub, b[segment]);
  return both;
}

/** Paths of the leaves of `tree` at which the two values differ. */
function differing(before: unknown, now: unknown, tree: FieldTree, place: Place, path: string): string[] {
  const segments = Object.entries(tree).filter(([segment]) => segment !== '.');
  if (segments.length === 0) return same(before, now) || isFields(now) ? [] : [path];
  return segments.flatMap(([segment, sub]) => {
    if (segment.startsWith('f:')) {
      const name = segment.slice(2);
      const [b, n] = [before, now].map((v) => (isFields(v) ? v[name] : undefined));
      return differing(b, n, sub, inside(place, name), `${path}.${name}`);
    }
    if (!segment.startsWith('k:')) return [];
    const id = JSON.parse(segment.slice(2)) as Fields;
    const [b, n] = [before, now].map((v) => listOf(v).find((item) => same(identity(item, Object.keys(id)), id)));
    return b === undefined
      ? []
      : differing(
          b,
          n,
          sub,
          place,
          `${path}[${Object.entries(id)
            .map(([k, v]) => `${k}=${JSON.stringify(v)}`)
            .join(',')}]`,
        );
  });
}

/** Removes from `value` the leaves of `tree`, and items of lists and of free maps that nobody wants any more. */
function removeTree(value: Fields, tree: FieldTree, place: Place): Fields {
  for (const [segment, sub] of Object.entries(tree)) {
    if (!segment.startsWith('f:')) continue;
    const name = segment.slice(2);
    const field = value[name];
    const inner = Object.entries(sub);
    if (sub['.']) delete value[name];
    else if (isFields(field) && inner.length > 0) removeTree(field, sub, inside(place, name));
    else if (Array.isArray(field) && inner.length > 0) {
      const rest = removeItems(field, sub, inside(place, name, true));
      if (rest.length > 0) value[name] = rest;
      else delete value[name];
    } else delete value[name];
  }
  return value;
}

function removeItems(items: unknown[], tree: FieldTree, place: Place): unknown[] {
  return items.filter((item) => {
    for (const [segment, sub] of Object.entries(tree)) {
      if (segment === `v:${JSON.stringify(item)}`) return false;
      if (!segment.startsWith('k:') || !isFields(item)) continue;
      const id = JSON.parse(segment.slice(2)) as Fields;
      if (!same(identity(item, Object.keys(id)), id)) continue;
      if (sub['.']) return false;
      removeTree(item, sub, place);
    }
    return true;
  });
}

function mergeApplied(target: Fields, wanted: Fields, place: Place): Fields {
  for (const [name, value] of Object.entries(wanted)) {
    if (name === '__proto__') continue;
    const before = target[name];
    if (value === null) delete target[name];
    else if (isFields(value)) target[name] = mergeApplied(isFields(before) ? before : {}, value, inside(place, name));
    else if (Array.isArray(value)) target[name] = mergeItems(listOf<unknown>(before), value, place, name);
    else target[name] = value;
  }
  return target;
}

function mergeItems(before: unknown[], wanted: unknown[], place: Place, name: string): unknown[] {
  const keys = keysOf(place, name);
  if (keys === 'atomic') return wanted;
  if (keys === 'set') return [...before, ...wanted.filter((item) => !before.some((b) => same(b, item)))];
  const result = [...before];
  for (const item of wanted) {
    if (!isFields(item)) return wanted;
    const id = identity(item, keys);
    const index = result.findIndex((known) => isFields(known) && same(identity(known, keys), id));
    const merged = mergeApplied(index < 0 ? {} : (result[index] as Fields), item, inside(place, name, true));
    if (index < 0) result.push(merged);
    else result[index] = merged;
  }
  return result;
}
