import type { ServerResponse } from 'node:http';
import { noSuchPath } from './errors.ts';
import { remembered } from './memo.ts';
import { OPENAPI_V2, openapiV2 } from './openapi-v2.ts';
import { components } from './proto/components.ts';
import { messageOf } from './proto/types.ts';
import { sendText } from './reply.ts';
import { apiVersionOf } from './resources.ts';
import type { Resource, ResourceRegistry } from './resources.ts';

/** `api/v1` or `apis/GROUP/VERSION`. */
const pathOf = (r: Resource) => (r.group ? `apis/${r.group}/${r.version}` : 'api/v1');

const schemaName = (r: Resource) => [...(r.group || 'core').split('.').reverse(), r.version, r.kind].join('.');

const gvk = ({ group, version, kind }: Resource) => ({ group, version, kind });

const query = (name: string) => ({ name, in: 'query', schema: { type: 'string', uniqueItems: true } });

/** The operation that tells kubectl that the server checks fields of a kind. */
const operation = (r: Resource, action: string, extra: object = {}) => ({
  'x-kubernetes-action': action,
  'x-kubernetes-group-version-kind': gvk(r),
  responses: { 200: { description: 'OK', content: { 'application/json': { schema: { $ref: refTo(r) } } } } },
  ...extra,
});

const refTo = (r: Resource) => `#/components/schemas/${schemaName(r)}`;

function paths(r: Resource): Record<string, unknown> {
  const collection = `/${pathOf(r)}${r.namespaced ? '/namespaces/{namespace}' : ''}/${r.plural}`;
  const writes = ['dryRun', 'fieldManager', 'fieldValidation'].map(query);
  return {
    [collection]: { get: operation(r, 'list'), post: operation(r, 'post', { parameters: writes }) },
    [`${collection}/{name}`]: {
      get: operation(r, 'get'),
      put: operation(r, 'put', { parameters: writes }),
      patch: operation(r, 'patch', { parameters: [...writes, query('force')] }),
      delete: operation(r, 'delete'),
    },
  };
}

const own = {
  apiVersion: { type: 'string', description: 'Version of the schema of this object.' },
  kind: { type: 'string', description: 'The kind of this object.' },
};

const metadata = { $ref: '#/components/schemas/meta.ObjectMeta' };

function schemaOf(r: Resource, known: ReturnType<typeof components>): object {
  const kind = { 'x-kubernetes-group-version-kind': [gvk(r)] };
  const { custom } = r;
  if (custom) return { ...custom.schema, properties: { ...own, metadata, ...custom.schema.properties }, ...kind };
  const message = known.get(messageOf(r)) ?? { type: 'object', properties: { metadata, spec: { type: 'object' } } };
  return {
    ...message,
    description: `${r.kind} of ${apiVersionOf(r)}.`,
    properties: { ...own, ...message.properties },
    ...kind,
  };
}

function document(resources: Resource[]): object {
  const known = components(['meta.ObjectMeta', ...resources.map(messageOf)]);
  const schemas = resources.map((r) => [schemaName(r), schemaOf(r, known)] as const);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.34.4' },
    paths: Object.assign({}, ...resources.map(paths)) as object,
    components: { schemas: Object.fromEntries([...known, ...schemas]) },
  };
}

/** Documents by the kinds that they describe, made when they are first asked for. */
const documents = new WeakMap<ResourceRegistry, { revision: number; texts: Map<string, string> }>();

function cacheOf(registry: ResourceRegistry): Map<string, string> {
  let known = documents.get(registry);
  if (known?.revision !== registry.revision) {
    documents.set(registry, (known = { revision: registry.revision, texts: new Map() }));
  }
  return known.texts;
}

/** Answers `/openapi/v2`, `/openapi/v3` and the documents below it. @throws ApiError 404 */
export function openapi(path: string, response: ServerResponse, registry: ResourceRegistry): void {
  if (path === '/openapi/v2') {
    const body = openapiV2(registry.all());
    response.writeHead(200, { 'content-type': OPENAPI_V2, 'content-length': body.length });
    response.end(body);
    return;
  }
  const text = remembered(cacheOf(registry), path, () => JSON.stringify(describe(path, registry)));
  sendText(response, 200, text);
}

function describe(path: string, registry: ResourceRegistry): object {
  const all = registry.all();
  if (path === '/openapi/v3') {
    const entries = [...new Set(all.map(pathOf))].map((p) => [
      p,
      { serverRelativeURL: `/openapi/v3/${p}?hash=${registry.revision}` },
    ]);
    return { paths: Object.fromEntries(entries) as object };
  }
  const resources = all.filter((r) => path === `/openapi/v3/${pathOf(r)}`);
  if (resources.length === 0) throw noSuchPath();
  return document(resources);
}
