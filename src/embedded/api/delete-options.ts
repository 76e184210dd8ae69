import { invalidValue } from './causes.ts';
import type { Call } from './context.ts';
import { parseObject } from './body.ts';
import { conflict, invalid } from './errors.ts';
import { at, textField } from './objects.ts';
import type { Fields } from './objects.ts';
import type { KubeObject } from '../../cluster/rest.ts';
import { wholeNumber } from './request-info.ts';
import type { Resource } from './resources.ts';

export interface DeleteOptions {
  /** Grace in documented seconds; undefined: the object's own. */
  gracePeriodSeconds?: number;
  propagationPolicy?: string;
  uid?: string;
  resourceVersion?: string;
  dryRun: boolean;
}

const options = { group: 'meta.k8s.io', plural: 'deleteoptions', kind: 'DeleteOptions' };
const policies = ['Orphan', 'Background', 'Foreground'];

/** Reads DeleteOptions from the body, else from the query. @throws ApiError 400 or 422 */
export function readDeleteOptions(call: Call): DeleteOptions {
  return deleteOptions(parseObject(call.body, call.type) ?? {}, call);
}

export function deleteOptions(body: Fields, call: Call): DeleteOptions {
  const { query } = call;
  const grace = body['gracePeriodSeconds'] ?? wholeNumber(query, 'gracePeriodSeconds');
  const orphan = body['orphanDependents'] ?? (query.get('orphanDependents') === 'true' || undefined);
  const policy = textField(body['propagationPolicy'], query.get('propagationPolicy') ?? '') || (orphan ? 'Orphan' : '');
  if (grace !== undefined && !Number.isInteger(grace)) {
    throw invalid(options, '', [invalidValue('gracePeriodSeconds', grace, 'must be an integer')]);
  }
  if (policy && !policies.includes(policy)) {
    throw invalid(options, '', [invalidValue('propagationPolicy', policy, `must be one of ${policies.join(', ')}`)]);
  }
  const uid = textField(at(body, 'preconditions', 'uid'));
  const resourceVersion = textField(at(body, 'preconditions', 'resourceVersion'));
  const dry = body['dryRun'];
  return {
    // A negative grace counts as one second, as in the real server.
    ...(grace === undefined ? {} : { gracePeriodSeconds: (grace as number) < 0 ? 1 : (grace as number) }),
    ...(policy ? { propagationPolicy: policy } : {}),
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
    dryRun: call.dryRun || (Array.isArray(dry) && dry.includes('All')),
  };
}

/** @throws ApiError 409 where the object is not the one that the options mean */
export function checkPreconditions(resource: Resource, object: KubeObject, wanted: DeleteOptions): void {
  const { name, uid, resourceVersion } = object.metadata;
  const named = { ...resource, plural: resource.kind };
  if (wanted.uid && wanted.uid !== uid) {
    const why = `the UID in the precondition (${wanted.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(named, name, why);
  }
  if (wanted.resourceVersion && wanted.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflict(named, name, why);
  }
}
