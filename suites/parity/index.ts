import { customs } from './api/custom.ts';
import { lists } from './api/lists.ts';
import { objects } from './api/objects.ts';
import { patches } from './api/patches.ts';
import { pods } from './api/pods.ts';
import { protocol } from './api/protocol.ts';
import { subresources } from './api/subresources.ts';
import { scheduling } from './controllers/scheduler.ts';
import { workloads } from './controllers/workloads.ts';
import type { Experiment } from './experiment.ts';
import { ending } from './kubelet/ending.ts';
import { life } from './kubelet/life.ts';
import { probes } from './kubelet/probes.ts';

/** All experiments; those that take longest first, so that no long one runs at the end by itself. */
export const experiments: readonly Experiment[] = [
  ...ending,
  ...life,
  ...probes,
  ...workloads,
  ...scheduling,
  ...subresources,
  ...customs,
  ...pods,
  ...patches,
  ...lists,
  ...objects,
  ...protocol,
];
