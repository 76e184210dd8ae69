import type { KubeObject, ObjectMeta } from '../../cluster/rest.ts';
import { FAULTS_ANNOTATION } from '../environment.ts';
import { admit } from './admit.ts';
import { invalidValue } from './causes.ts';
import type { Call } from './context.ts';
import { badRequest, conflict, invalid } from './errors.ts';
import { checkFinalizers, isReleased } from './finalizers.ts';
import { checkMetadata } from './names.ts';
import { clone, same } from './objects.ts';
import type { Fields } from './objects.ts';
import { strategyOf } from './strategies/index.ts';
import { typed } from './typed.ts';

/** Fault of the API server itself: a refused update of a custom object is stored all the same. */
const REFUSED_WRITE_STORED = 'refused-write-stored';

/** Which part of an object a request may change. */
export type Part = 'main' | 'status';

/**
 * Replaces an object with a changed one, as far as `part` allows.
 * @throws ApiError 400, 409 or 422 as a real server does
 */
export function update(call: Call, old: KubeObject, body: Fields, part: Part): KubeObject {
  const { api, resource } = call;
  const object = typed(call, clone(body));
  const strategy = strategyOf(resource);
  checkIdentity(call, old, object, part === 'main' && strategy.needsVersion === true && call.request.method === 'PUT');
  if (part === 'status') keepForStatus(object, old, resource.custom !== undefined);
  else if (resource.subresources.includes('status') && (resource.custom || !strategy.keepsStatus)) {
    restore(object, old, 'status');
  } else if (strategy.keepsStatus) restore(object, old, 'status');
  object.metadata = withServerFields(object.metadata, old.metadata);
  const refused = admit(object, call, part === 'main' ? () => strategy.prepareUpdate?.(object, old, api) : undefined);
  const causes = [...checkMetadata(resource, object.metadata as unknown as Fields), ...checkFinalizers(object, old)];
  // A status may come from a Pod whose spec a newer server would refuse.
  if (part === 'main' || resource.custom) causes.push(...refused);
  if (part === 'main') causes.push(...(strategy.validateUpdate?.(object, old) ?? []));
  if (causes.length > 0) {
    if (resource.custom && storesRefused(call)) commit(call, old, object, strategy.generation === true);
    throw invalid(resource, old.metadata.name, causes);
  }
  return commit(call, old, object, strategy.generation === true);
}

/** Writes a checked state of an object, unless it is the state that is there. */
function commit(call: Call, old: KubeObject, object: KubeObject, counts: boolean): KubeObject {
  const { api, resource, dryRun } = call;
  object.metadata.resourceVersion = old.metadata.resourceVersion as string;
  if (counts && changesGeneration(object, old)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  if (same(object, old)) return old;
  if (dryRun) return object;
  if (isReleased(object)) {
    const { namespace = '', name } = old.metadata;
    strategyOf(resource).removed?.(object, api);
    api.store.remove(resource.storage, namespace, name);
    return object;
  }
  return api.store.put(resource.storage, object);
}

/** Everything but metadata and status counts. */
function changesGeneration(object: KubeObject, old: KubeObject): boolean {
  const { metadata: _m, status: _s, ...now } = object;
  const { metadata: _om, status: _os, ...before } = old;
  return !same(now, before);
}

function checkIdentity({ resource }: Call, old: KubeObject, object: KubeObject, needsVersion: boolean): void {
  const { name } = old.metadata;
  const { metadata } = object;
  metadata.name ??= name;
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (metadata.uid && metadata.uid !== old.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${old.metadata.uid}`;
    throw conflict(resource, name, why);
  }
  if (needsVersion && !metadata.resourceVersion) {
    const cause = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    // A real server names the resource here, not the kind.
    throw invalid({ ...resource, kind: resource.plural }, name, [cause]);
  }
  if (metadata.resourceVersion && metadata.resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(resource, name);
  }
}

function restore(object: KubeObject, old: KubeObject, field: string): void {
  if (old[field] === undefined) delete object[field];
  else object[field] = old[field];
}

/** A write to `/status` changes nothing else; built-in kinds also take labels and annotations with it. */
function keepForStatus(object: KubeObject, old: KubeObject, custom: boolean): void {
  for (const field of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (!['apiVersion', 'kind', 'metadata', 'status'].includes(field)) restore(object, old, field);
  }
  const { labels, annotations, resourceVersion } = object.metadata;
  object.metadata = { ...old.metadata, ...(resourceVersion ? { resourceVersion } : {}) };
  if (custom) return;
  if (labels) object.metadata.labels = labels;
  if (annotations) object.metadata.annotations = annotations;
}

const serverFields = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'generateName',
];

function withServerFields(metadata: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const [target, source]: [Fields, Fields] = [{ ...metadata }, { ...old }];
  for (const name of serverFields) {
    if (source[name] === undefined) delete target[name];
    else target[name] = source[name];
  }
  // A client that does not know of managed fields does not remove them.
  if (target['managedFields'] === undefined && source['managedFields'])
    target['managedFields'] = source['managedFields'];
  delete target['selfLink'];
  return target as unknown as ObjectMeta;
}

function storesRefused({ api, namespace }: Call): boolean {
  const text = api.store.get('namespaces', '', namespace)?.metadata.annotations?.[FAULTS_ANNOTATION] ?? '';
  return text.split(',').some((name) => name.trim() === REFUSED_WRITE_STORED);
}
