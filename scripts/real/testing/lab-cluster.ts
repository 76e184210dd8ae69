import type { Places } from '../places.ts';
import { placesOf } from '../places.ts';

const name = process.env['QUIESCE_REAL_CLUSTER'];

/** Why a test that needs a cluster of `kubernetes-up`, its Nodes served by a process kubelet, is skipped; false where it runs. */
export const skip = name
  ? false
  : 'QUIESCE_REAL_CLUSTER names no cluster of kubernetes-up whose Nodes a process kubelet serves';

/** Where that cluster lies. @throws Error where none is named */
export function labCluster(): Places {
  if (!name) throw new Error(String(skip));
  return placesOf(name);
}
