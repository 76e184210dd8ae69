import { randomUUID } from 'node:crypto';
import type { KubeObject, ObjectMeta } from '../../cluster/rest.ts';
import { FAULTS_ANNOTATION } from '../environment.ts';
import { invalidValue } from './causes.ts';
import type { Call } from './context.ts';
import { admitCustom } from './crd/admit.ts';
import { alreadyExists, badRequest, conflict, forbidden, invalid, notFound } from './errors.ts';
import { checkFinalizers, isReleased } from './finalizers.ts';
import { checkMetadata, generatedName } from './names.ts';
import { clone, isFields, same, stamp } from './objects.ts';
import { apiVersionOf } from './resources.ts';
import { strategyOf } from './strategies/index.ts';
import type { Fields } from './objects.ts';

/** Fault of the API server itself: a refused update of a custom object is stored all the same. */
const REFUSED_WRITE_STORED = 'refused-write-stored';

/** Stores a new object. @throws ApiError 400, 403, 404, 409 or 422 as a real server does */
export function create(call: Call, body: Fields): KubeObject {
  const { api, resource, namespace } = call;
  const object = typed(call, body);
  const { metadata } = object;
  const strategy = strategyOf(resource);
  if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
  if (!metadata.name && metadata.generateName) metadata.name = generatedName(metadata.generateName);
  checkNamespace(call, metadata.name);
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'])
    delete (metadata as unknown as Fields)[field];
  metadata.uid = randomUUID();
  metadata.creationTimestamp = stamp(api.now());
  if (strategy.generation) metadata.generation = 1;
  else delete metadata.generation;
  const causes = checkMetadata(resource, metadata as unknown as Fields);
  if (resource.custom && resource.subresources.includes('status')) delete object['status'];
  strategy.defaults?.(object);
  if (resource.custom) causes.push(...admitCustom(object, resource.custom, call));
  else causes.push(...(strategy.validate?.(object) ?? []));
  if (causes.length > 0) throw invalid(resource, metadata.name ?? '', causes);
  // What exists is told before the server allocates anything for the newcomer.
  if (api.store.get(resource.storage, namespace, metadata.name)) throw alreadyExists(resource, metadata.name);
  strategy.prepareCreate?.(object, api);
  if (call.dryRun) {
    strategy.removed?.(object, api);
    return object;
  }
  makeRoom(call, strategy.limit);
  return api.store.put(resource.storage, object);
}

function makeRoom({ api, resource }: Call, limit = Infinity): void {
  while (api.store.count(resource.storage) >= limit) {
    const oldest = api.store.oldest(resource.storage);
    if (!oldest) return;
    api.store.remove(resource.storage, oldest.metadata.namespace ?? '', oldest.metadata.name);
  }
}

/** The body as an object of the request's kind and namespace. @throws ApiError 400 where it is of another */
export function typed(call: Call, body: Fields): KubeObject {
  const { resource, namespace } = call;
  const apiVersion = apiVersionOf(resource);
  if ((body['kind'] ?? resource.kind) !== resource.kind || (body['apiVersion'] ?? apiVersion) !== apiVersion) {
    throw badRequest(
      `${String(body['kind'])} in version ${JSON.stringify(body['apiVersion'])} cannot be handled as a ${resource.kind}: ` +
        `expected ${apiVersion} ${resource.kind}`,
    );
  }
  if (body['metadata'] !== undefined && !isFields(body['metadata'])) throw badRequest('metadata must be an object');
  const metadata = { ...(body['metadata'] as ObjectMeta | undefined) } as ObjectMeta;
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (resource.namespaced) metadata.namespace = namespace;
  else delete metadata.namespace;
  for (const name of ['labels', 'annotations'] as const) {
    if (metadata[name] === null) delete metadata[name];
    if (metadata[name] !== undefined && !isFields(metadata[name]))
      throw badRequest(`metadata.${name} must be an object`);
  }
  for (const name of ['finalizers', 'ownerReferences'] as const) {
    if (metadata[name] === null) delete metadata[name];
    if (metadata[name] !== undefined && !Array.isArray(metadata[name]))
      throw badRequest(`metadata.${name} must be a list`);
  }
  return { apiVersion, kind: resource.kind, ...body, metadata };
}

function checkNamespace({ api, resource, namespace }: Call, name: string): void {
  if (!resource.namespaced) return;
  const found = api.store.get('namespaces', '', namespace);
  if (!found) throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, namespace);
  if (!found.metadata.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw forbidden(resource, name, why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}

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
  strategy.defaults?.(object);
  if (part === 'main') strategy.prepareUpdate?.(object, old, api);
  const causes = [...checkMetadata(resource, object.metadata as unknown as Fields), ...checkFinalizers(object, old)];
  if (resource.custom) causes.push(...admitCustom(object, resource.custom, call));
  else if (part === 'main') {
    causes.push(...(strategy.validate?.(object) ?? []), ...(strategy.validateUpdate?.(object, old) ?? []));
  }
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
    throw invalid(resource, name, [cause]);
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

/** The stored object of a request. @throws ApiError 404 */
export function existing({ api, resource, namespace, name }: Call): KubeObject {
  const object = api.store.get(resource.storage, namespace, name);
  if (!object) throw notFound(resource, name);
  return object;
}
