import type { KubeObject } from '../../../cluster/rest.ts';
import type { Call } from '../context.ts';
import { badRequest } from '../errors.ts';
import type { Cause } from '../errors.ts';
import type { CustomVersion } from '../resources.ts';
import { fillDefaults, prune } from './shape.ts';
import { validate } from './validate.ts';

/**
 * Prunes and defaults a custom object in place, and answers what its schema refuses.
 * @throws ApiError 400 for an unknown field where the client asked for `fieldValidation=Strict`
 */
export function admitCustom(object: KubeObject, custom: CustomVersion, call: Call): Cause[] {
  const schema = call.api.crds.schemaFor(custom, call.namespace);
  const unknown = prune(object, schema);
  fieldWarnings(unknown, call);
  fillDefaults(object, schema);
  return validate(object, schema);
}

/** Refuses, warns of, or passes over fields that the kind does not know, as the request asks. */
function fieldWarnings(paths: string[], call: Call): void {
  if (paths.length === 0) return;
  const mode = call.query.get('fieldValidation') || 'Warn';
  const texts = paths.map((path) => `unknown field "${path}"`);
  if (mode === 'Strict') throw badRequest(`strict decoding error: ${texts.join(', ')}`);
  if (mode === 'Warn') {
    call.response.setHeader(
      'warning',
      texts.map((text) => `299 - ${JSON.stringify(text)}`),
    );
  }
}
