import { parseObject } from './body.ts';
import type { Call } from './context.ts';
import { readDeleteOptions } from './delete-options.ts';
import { badRequest, methodNotAllowed } from './errors.ts';
import type { Fields } from './objects.ts';
import { patch } from './patch/index.ts';
import { get, list, selected } from './read.ts';
import { remove } from './remove.ts';
import { sendJson, sendText } from './reply.ts';
import { flag } from './request-info.ts';
import { apiVersionOf } from './resources.ts';
import { review, tokenRequest } from './reviews.ts';
import { bind } from './subresources/binding.ts';
import { evict } from './subresources/eviction.ts';
import { finalize } from './subresources/finalize.ts';
import { nodeProxy, podLog } from './subresources/logs.ts';
import { scale } from './subresources/scale.ts';
import { textOf } from './text.ts';
import { watch } from './watch.ts';
import { create } from './create.ts';
import { existing } from './typed.ts';
import { update } from './update.ts';
import type { Part } from './update.ts';

/** Answers a request to a kind. `token` is the one that the server asks for. @throws ApiError */
export async function dispatch(call: Call, token: string): Promise<void> {
  try {
    await route(call, token);
  } catch (error) {
    // A body of the right kind whose parts have wrong types trips over the code that reads them.
    if (!(error instanceof TypeError) || call.body.length === 0) throw error;
    throw badRequest(`${call.resource.kind} in version "${call.resource.version}" cannot be handled: ${error.message}`);
  }
}

async function route(call: Call, token: string): Promise<void> {
  const { subresource, resource } = call;
  if (!resource.verbs.includes('get')) {
    if (call.request.method !== 'POST') throw methodNotAllowed();
    return resource.kind === 'Binding' ? bind(call) : review(call, token);
  }
  switch (subresource) {
    case '':
      return call.name ? onObject(call, 'main') : onCollection(call);
    case 'status':
      return onObject(call, 'status');
    case 'scale':
      return scale(call);
    case 'eviction':
      return evict(call);
    case 'binding':
      return bind(call);
    case 'finalize':
      return finalize(call);
    case 'log':
      return podLog(call);
    case 'proxy':
      return nodeProxy(call);
    case 'token':
      return tokenRequest(call, token);
    case 'exec':
      throw badRequest('exec: expected a WebSocket upgrade');
    default:
      throw methodNotAllowed();
  }
}

const watches = ({ query }: Call) => query.has('watch') && flag(query, 'watch');

function onCollection(call: Call): void {
  const { request } = call;
  if (request.method === 'GET') return watches(call) ? watch(call) : list(call);
  if (request.method === 'POST') return post(call);
  if (request.method === 'DELETE' && call.resource.verbs.includes('deletecollection')) return removeCollection(call);
  throw methodNotAllowed();
}

function onObject(call: Call, part: Part): void {
  const { request, response, resource } = call;
  switch (request.method) {
    case 'GET':
      return part === 'main' && watches(call) ? watch(call) : get(call);
    case 'PUT':
      return sendText(response, 200, textOf(update(call, existing(call), bodyOf(call), part), resource));
    case 'PATCH': {
      const { created, object } = patch(call, part);
      return sendText(response, created ? 201 : 200, textOf(object, resource));
    }
    case 'DELETE':
      if (part === 'main') return removeOne(call);
      throw methodNotAllowed();
    case undefined:
    default:
      throw methodNotAllowed();
  }
}

function bodyOf(call: Call): Fields {
  const body = parseObject(call.body, call.type);
  if (!body) throw badRequest(`the body of the request must be a ${call.resource.kind}`);
  return body;
}

function post(call: Call): void {
  const { resource, response, namespace } = call;
  if (resource.namespaced && !namespace) throw methodNotAllowed();
  const body = bodyOf(call);
  const metadata = body['metadata'] as Fields | undefined;
  // Only server-side apply writes them.
  if (metadata) delete metadata['managedFields'];
  sendText(response, 201, textOf(create(call, body), resource));
}

/** Kinds whose delete answers the object even where it is gone at once; others answer a Status. */
const answersObject = new Set([
  'pods',
  'services',
  'serviceaccounts',
  'persistentvolumeclaims',
  'persistentvolumes',
  'resourcequotas',
]);

function removeOne(call: Call): void {
  const { api, resource, response, name } = call;
  const { gone, object } = remove(api, resource, existing(call), readDeleteOptions(call));
  if (!gone || answersObject.has(resource.storage)) return sendText(response, 200, textOf(object, resource));
  const details = {
    name,
    ...(resource.group ? { group: resource.group } : {}),
    kind: resource.plural,
    uid: object.metadata.uid,
  };
  sendJson(response, 200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
}

function removeCollection(call: Call): void {
  const { api, resource, response } = call;
  const options = readDeleteOptions(call);
  // They are answered as they were found.
  const items = selected(call);
  for (const object of items) remove(api, resource, object, options);
  const metadata = { resourceVersion: String(api.store.version) };
  sendJson(response, 200, { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata, items });
}
