import { parseObject } from '../body.ts';
import type { Call } from '../context.ts';
import { badRequest, conflict, methodNotAllowed } from '../errors.ts';
import { isReleased } from '../finalizers.ts';
import { at, listOf } from '../objects.ts';
import { sendJson } from '../reply.ts';
import { existing } from '../typed.ts';

/** `PUT namespaces/NAME/finalize`: sets `spec.finalizers`; an emptied Namespace that is being deleted goes. */
export function finalize(call: Call): void {
  if (call.request.method !== 'PUT') throw methodNotAllowed();
  const { api, resource, name, response } = call;
  const body = parseObject(call.body, call.type);
  if (!body) throw badRequest('the body of the request must be a Namespace');
  const old = existing(call);
  const version = at(body, 'metadata', 'resourceVersion');
  if (version && version !== old.metadata.resourceVersion) throw conflict(resource, name);
  const finalizers = listOf<string>(at(body, 'spec', 'finalizers'));
  const object = { ...old, metadata: { ...old.metadata }, spec: finalizers.length > 0 ? { finalizers } : {} };
  if (!call.dryRun) {
    if (isReleased(object)) api.store.remove(resource.storage, '', name);
    else api.store.put(resource.storage, object);
  }
  sendJson(response, 200, object);
}
