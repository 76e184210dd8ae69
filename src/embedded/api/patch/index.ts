import type { KubeObject } from '../../../cluster/rest.ts';
import { parseText } from '../body.ts';
import type { Call } from '../context.ts';
import { required } from '../causes.ts';
import { badRequest, invalid, noSuchPath, notFound, unsupportedMedia } from '../errors.ts';
import { clone, goType, isFields } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { create } from '../create.ts';
import { update } from '../update.ts';
import type { Part } from '../update.ts';
import { applyPatch } from './apply.ts';
import { jsonPatch } from './json.ts';
import { mergePatch } from './merge.ts';
import { strategicPatch } from './strategic.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** What a patch led to: a new object (201) or a changed one (200). */
export interface Patched {
  created: boolean;
  object: KubeObject;
}

/** Patches an object, or its status. @throws ApiError 400, 404, 409, 415 or 422 */
export function patch(call: Call, part: Part): Patched {
  const { api, resource, namespace, name, type } = call;
  const accepted = [JSON_PATCH, MERGE, ...(resource.custom ? [] : [STRATEGIC]), APPLY];
  if (!accepted.includes(type)) throw unsupportedMedia(accepted);
  if (!name) throw noSuchPath();
  const body = parseText(call.body.toString('utf8'), type);
  const old = api.store.get(resource.storage, namespace, name);
  if (type === APPLY) return apply(call, old, fields(body), part);
  if (!old) throw notFound(resource, name);
  return { created: false, object: update(call, old, changed(old, body, call), part) };
}

/** The object as a patch of one of the three old kinds makes it. */
export function changed(old: KubeObject, body: unknown, { type, resource }: Call): Fields {
  if (type === JSON_PATCH) return jsonPatch(old, body);
  if (type === MERGE) return mergePatch(old, fields(body)) as Fields;
  return strategicPatch(clone(old), fields(body), resource.kind);
}

function apply(call: Call, old: KubeObject | undefined, body: Fields, part: Part): Patched {
  const manager = call.query.get('fieldManager');
  const options = { group: 'meta.k8s.io', plural: 'patchoptions', kind: 'PatchOptions' };
  if (!manager) throw invalid(options, '', [required('fieldManager', 'is required for apply patch')]);
  const applied = applyPatch(call, old, body, manager, part);
  if (old) return { created: false, object: update(call, old, applied, part) };
  if (part === 'status') throw notFound(call.resource, call.name);
  return { created: true, object: create(call, applied) };
}

function fields(body: unknown): Fields {
  if (!isFields(body)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goType(body)} into Go value of type map[string]interface {}`,
    );
  }
  return body;
}
