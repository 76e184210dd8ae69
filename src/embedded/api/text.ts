import type { KubeObject } from '../../cluster/rest.ts';
import { remembered } from './memo.ts';
import { apiVersionOf } from './resources.ts';
import type { Resource } from './resources.ts';

/** Text of stored objects, by the version that serves them. Stored objects never change, so neither does their text. */
const texts = new WeakMap<KubeObject, Map<string, string>>();

/** The object as JSON in the version of `resource`, made once. */
export function textOf(object: KubeObject, resource: Resource): string {
  const byVersion = remembered(texts, object, () => new Map<string, string>());
  return remembered(byVersion, apiVersionOf(resource), () => JSON.stringify(inVersion(object, resource)));
}

/** The object as the version of `resource` shows it: kinds of a CRD differ in `apiVersion` alone. */
export function inVersion(object: KubeObject, resource: Resource): KubeObject {
  const apiVersion = apiVersionOf(resource);
  if (object.apiVersion === apiVersion && object.kind === resource.kind) return object;
  const { apiVersion: _a, kind: _k, ...rest } = object;
  const shown = { apiVersion, kind: resource.kind, ...rest };
  return resource.group === 'events.k8s.io' ? newEvent(shown) : shown;
}

/** A core Event in the words of events.k8s.io. */
function newEvent(event: KubeObject): KubeObject {
  const { involvedObject, message, firstTimestamp, lastTimestamp, count, source, ...rest } = event;
  const { component, host } = (source ?? {}) as { component?: string; host?: string };
  return {
    ...rest,
    regarding: involvedObject,
    note: message,
    reportingController: event['reportingComponent'] || component,
    reportingInstance: event['reportingInstance'] || host,
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
  };
}
