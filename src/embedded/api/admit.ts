import type { KubeObject } from '../../cluster/rest.ts';
import type { Call } from './context.ts';
import { dropNulls, fillDefaults, prune } from './crd/shape.ts';
import { validate } from './crd/validate.ts';
import { badRequest } from './errors.ts';
import type { Cause } from './errors.ts';
import { dropSidecars } from './kubernetes-version.ts';
import { leaveOutEmpty } from './omitted.ts';
import { messageSchema } from './proto/schemas.ts';
import { messageOf } from './proto/types.ts';
import type { CustomVersion } from './resources.ts';
import { strategyOf } from './strategies/index.ts';

/**
 * Prunes and defaults an object in place, and answers what is wrong with it. `prepare` runs between defaults and checks.
 * @throws ApiError 400 for a field of a wrong type in a built-in kind, or for an unknown field where the client asked for
 * `fieldValidation=Strict`
 */
export function admit(object: KubeObject, call: Call, prepare?: () => void): Cause[] {
  const { resource } = call;
  if (resource.custom) return admitCustom(object, resource.custom, call);
  const strategy = strategyOf(resource);
  // Events of the newer group are turned into core ones by their defaults, which must come first.
  const event = resource.storage === 'events';
  if (event) strategy.defaults?.(object);
  checkShape(object, event ? 'core.Event' : messageOf(resource), call);
  if (!call.api.kubernetes.nativeSidecars) dropSidecars(object);
  if (!event) strategy.defaults?.(object);
  prepare?.();
  leaveOutEmpty(object);
  return strategy.validate?.(object) ?? [];
}

function admitCustom(object: KubeObject, custom: CustomVersion, call: Call): Cause[] {
  const schema = call.api.crds.schemaFor(custom, call.namespace);
  warnOf(prune(object, schema), call);
  dropNulls(object, schema);
  fillDefaults(object, schema);
  return validate(object, schema);
}

/** What a real server does as it decodes a built-in kind: unknown fields go, wrong types are refused. */
function checkShape(object: KubeObject, message: string, call: Call): void {
  const schema = messageSchema(message);
  const metadata = messageSchema('meta.ObjectMeta');
  if (!schema || !metadata) return;
  warnOf([...prune(object, schema), ...prune(object.metadata, metadata, 'metadata', false)], call);
  const [wrong] = validate(object, schema);
  if (!wrong) return;
  const { kind, version } = call.resource;
  throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${wrong.field}: ${wrong.message}`);
}

/** Refuses, warns of, or passes over fields that the kind does not know, as the request asks. */
function warnOf(paths: string[], call: Call): void {
  if (paths.length === 0) return;
  const mode = call.query.get('fieldValidation') || 'Warn';
  const texts = paths.sort().map((path) => `unknown field "${path}"`);
  if (mode === 'Strict')
    throw badRequest(
      `${call.resource.kind} in version "${call.resource.version}" cannot be handled as a ${call.resource.kind}: strict decoding error: ${texts.join(', ')}`,
    );
  if (mode !== 'Warn') return;
  const warnings = texts.slice(0, WARNING_LIMIT).map((text) => `299 - ${JSON.stringify(text)}`);
  call.response.setHeader(
    'warning',
    warnings.map((text) => text.replace(/[^\x20-\x7e]/g, '?')),
  );
}

/** Most warnings of one answer: headers are bounded. */
const WARNING_LIMIT = 20;
