import { customs } from './api/custom.ts';
import { deletes } from './api/deletes.ts';
import { kinds } from './api/kinds.ts';
import { lists } from './api/lists.ts';
import { objects } from './api/objects.ts';
import { patches } from './api/patches.ts';
import { podsRefused } from './api/pods-refused.ts';
import { pods } from './api/pods.ts';
import { protocol } from './api/protocol.ts';
import { schemas } from './api/schemas.ts';
import { subresources } from './api/subresources.ts';
import { garbage } from './controllers/garbage.ts';
import { rollouts } from './controllers/rollouts.ts';
import { scheduling } from './controllers/scheduler.ts';
import { services } from './controllers/services.ts';
import { sets } from './controllers/sets.ts';
import type { Experiment } from './experiment.ts';
import { ending } from './kubelet/ending.ts';
import { files } from './kubelet/files.ts';
import { hooks } from './kubelet/hooks.ts';
import { inits } from './kubelet/inits.ts';
import { probes } from './kubelet/probes.ts';
import { reads } from './kubelet/reads.ts';
import { starts } from './kubelet/starts.ts';

/** All experiments; those that take longest first, so that no long one runs at the end by itself. */
export const experiments: readonly Experiment[] = [
  ...ending,
  ...hooks,
  ...starts,
  ...inits,
  ...files,
  ...reads,
  ...probes,
  ...rollouts,
  ...sets,
  ...garbage,
  ...services,
  ...scheduling,
  ...deletes,
  ...subresources,
  ...schemas,
  ...customs,
  ...pods,
  ...podsRefused,
  ...kinds,
  ...patches,
  ...lists,
  ...objects,
  ...protocol,
];
