import type { KubeObject } from '../../../cluster/rest.ts';
import type { Api } from '../context.ts';
import type { Cause } from '../errors.ts';

/**
 * What is particular about writes of one kind. The first three change `object` in place, before it is checked; `object`
 * is a fresh copy each time.
 */
export interface Strategy {
  /** Defaults of the API, on every write. */
  defaults?(object: KubeObject): void;
  /** What the server fills in on a create: status, allocations, admission. @throws ApiError */
  prepareCreate?(object: KubeObject, api: Api): void;
  /** What an update of the main resource may not change is taken back from `old`. */
  prepareUpdate?(object: KubeObject, old: KubeObject, api: Api): void;
  validate?(object: KubeObject): Cause[];
  validateUpdate?(object: KubeObject, old: KubeObject): Cause[];
  /** The object was removed: free what `prepareCreate` allocated. */
  removed?(object: KubeObject, api: Api): void;
  /** Whether `metadata.generation` counts the changes of `spec`. */
  generation?: boolean;
  /** A create keeps the status that the client sent (nodes). */
  keepsStatus?: boolean;
  /** An update must name the resourceVersion that it is based on. */
  needsVersion?: boolean;
  /** Most objects of the kind that are kept; the oldest goes. */
  limit?: number;
}
