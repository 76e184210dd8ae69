import { open } from './open.ts';
import { listed } from './difference.ts';
import type { Difference } from './difference.ts';

/** Differences between the embedded cluster and a real one that must stay, with the reason; and those still open. */
export const differences: readonly Difference[] = [
  ...listed(
    'The embedded server serves fewer kinds and versions, and tells no storage hashes and deprecations of them',
    {
      'api.crd-discovery': ['0 *', '2 *'],
      'api.discovery-resources': ['0 *'],
      'api.list-empty': ['0 *'],
      'api.table-others': ['2 *', '7 *'],
    },
  ),
  ...listed('Programs of the host find the API server by KUBECONFIG: no token is mounted', {
    'api.pod-defaults-token': ['0 *'],
  }),
  ...listed('The embedded server keeps the newest state and a window of changes, so older versions expire sooner', {
    'api.list-versions': ['3 *', '4 *'],
    'api.watch-gone': ['0 *', '1 *'],
  }),
  ...listed('How many writes a start takes depends on how fast its parts follow each other', {
    'kubelet.states-of-start': ['0 *'],
  }),
  ...listed('A process of the host is no pid 1 of a namespace, which hears no signal that it does not handle', {
    'kubelet.deadline': ['0 *'],
    'kubelet.term-by-itself': ['0 *'],
  }),
  ...open,
];
