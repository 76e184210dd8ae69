import type { KubeObject } from '../../cluster/rest.ts';
import type { Api } from './context.ts';
import { checkPreconditions } from './delete-options.ts';
import type { DeleteOptions } from './delete-options.ts';
import { isReleased } from './finalizers.ts';
import { same, specOf, stamp, statusOf } from './objects.ts';
import type { Resource } from './resources.ts';
import { DEFAULT_GRACE } from './strategies/pod-defaults.ts';
import { strategyOf } from './strategies/index.ts';

/** What a delete did: the object is gone, or it is marked and stays for its grace or its finalizers. */
export interface Removal {
  gone: boolean;
  object: KubeObject;
}

/**
 * Deletes an object as `BeforeDelete` and the registry of a real API server do: a Pod gets its grace, a second delete may
 * only shorten it, and a grace of 0 shows as one MODIFIED before the DELETED.
 * @throws ApiError 409 where the preconditions do not hold
 */
export function remove(api: Api, resource: Resource, old: KubeObject, options: DeleteOptions): Removal {
  checkPreconditions(resource, old, options);
  const object: KubeObject = { ...old, metadata: { ...old.metadata } };
  const graceful = resource.storage === 'pods';
  const pending = graceful && markPod(object, options, api.now());
  setDependentsFinalizer(object, options.propagationPolicy);
  const held = (object.metadata.finalizers ?? []).length > 0 || resource.storage === 'namespaces';
  if (!graceful && held) mark(object, api.now());
  if (resource.storage === 'namespaces') object['status'] = { ...statusOf(object), phase: 'Terminating' };
  const changed = !same(object, old);
  const gone = !pending && (graceful || held ? isReleased(object) : true);
  if (options.dryRun) return { gone, object };
  if (changed) api.store.put(resource.storage, object);
  if (!gone) return { gone, object: changed ? object : old };
  const { namespace = '', name } = object.metadata;
  strategyOf(resource).removed?.(object, api);
  api.store.remove(resource.storage, namespace, name);
  return { gone, object };
}

/** Marks an object without grace that its finalizers hold. */
function mark({ metadata }: KubeObject, now: number): void {
  if (metadata.deletionTimestamp) return;
  metadata.deletionTimestamp = stamp(now);
  metadata.deletionGracePeriodSeconds = 0;
  if (metadata.generation) metadata.generation += 1;
}

/** Gives a Pod its deletionTimestamp; true where a delete with a grace as short as this one is already under way. */
function markPod(pod: KubeObject, options: DeleteOptions, now: number): boolean {
  const { metadata } = pod;
  const granted = metadata.deletionGracePeriodSeconds;
  if (metadata.deletionTimestamp) {
    const grace = options.gracePeriodSeconds;
    if (!granted) return false;
    if (grace === undefined || grace >= granted) return true;
    // The clock still counts from the first delete: as the real server, and as its readers must expect.
    const asked = Date.parse(metadata.deletionTimestamp) - granted * 1000;
    metadata.deletionTimestamp = stamp(asked + grace * 1000);
    metadata.deletionGracePeriodSeconds = grace;
    return false;
  }
  const grace = graceOf(pod, options);
  metadata.deletionTimestamp = stamp(now + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if (metadata.generation) metadata.generation += 1;
  return false;
}

/** Grace of a Pod's first delete, in documented seconds. */
function graceOf(pod: KubeObject, options: DeleteOptions): number {
  const spec = specOf(pod);
  const { phase } = statusOf(pod);
  if (!spec['nodeName'] || phase === 'Succeeded' || phase === 'Failed') return 0;
  const asked = options.gracePeriodSeconds ?? (spec['terminationGracePeriodSeconds'] as number | undefined);
  return asked ?? DEFAULT_GRACE;
}

const finalizerOf: Record<string, string> = { Orphan: 'orphan', Foreground: 'foregroundDeletion' };

/** The finalizer by which the garbage collector is told what to do with the dependents first. */
function setDependentsFinalizer({ metadata }: KubeObject, policy: string | undefined): void {
  if (!policy) return;
  const others = (metadata.finalizers ?? []).filter((name) => !Object.values(finalizerOf).includes(name));
  const own = finalizerOf[policy];
  metadata.finalizers = own ? [...others, own] : others;
  if (metadata.finalizers.length === 0) delete metadata.finalizers;
}
