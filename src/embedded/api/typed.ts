import type { KubeObject, ObjectMeta } from '../../cluster/rest.ts';
import type { Call } from './context.ts';
import { badRequest, forbidden, notFound } from './errors.ts';
import { isFields } from './objects.ts';
import type { Fields } from './objects.ts';
import { apiVersionOf } from './resources.ts';

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

/** @throws ApiError 404 or 403 where nothing new can be put into the request's namespace */
export function checkNamespace({ api, resource, namespace }: Call, name: string): void {
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

/** The stored object of a request. @throws ApiError 404 */
export function existing({ api, resource, namespace, name }: Call): KubeObject {
  const object = api.store.get(resource.storage, namespace, name);
  if (!object) throw notFound(resource, name);
  return object;
}
