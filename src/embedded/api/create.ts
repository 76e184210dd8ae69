import { randomUUID } from 'node:crypto';
import type { KubeObject } from '../../cluster/rest.ts';
import { admit } from './admit.ts';
import type { Call } from './context.ts';
import { alreadyExists, badRequest, invalid } from './errors.ts';
import { checkMetadata, generatedName } from './names.ts';
import { stamp } from './objects.ts';
import type { Fields } from './objects.ts';
import { strategyOf } from './strategies/index.ts';
import { checkNamespace, typed } from './typed.ts';

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
  causes.push(...admit(object, call));
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
