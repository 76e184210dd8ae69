import type { KubeObject } from '../../cluster/rest.ts';
import { forbiddenField } from './causes.ts';
import type { Cause } from './errors.ts';
import { listOf, specOf } from './objects.ts';

/** An object that is on its way out takes no new finalizers. */
export function checkFinalizers(object: KubeObject, old: KubeObject): Cause[] {
  if (!old.metadata.deletionTimestamp) return [];
  const known = old.metadata.finalizers ?? [];
  const added = (object.metadata.finalizers ?? []).filter((name) => !known.includes(name));
  if (added.length === 0) return [];
  const shown = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [forbiddenField('metadata.finalizers', why)];
}

/** Whether nothing holds an object any more that was marked for deletion: no grace, no finalizer. */
export function isReleased(object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds > 0 || finalizers.length > 0) return false;
  return object.kind !== 'Namespace' || listOf(specOf(object)['finalizers']).length === 0;
}
