import type { KubeClient } from '../../cluster/rest.ts';
import type { TimeScale } from '../../time/scale.ts';
import type { Rendering } from './render/pod.ts';
import type { Snapshots } from './snapshots.ts';

/** What every part of the operator works with. */
export interface Context extends Rendering {
  client: KubeClient;
  scale: TimeScale;
  log: (line: string) => void;
}

/** And by what it looks at the API. */
export interface LookingContext extends Context {
  snapshots: Snapshots;
}
