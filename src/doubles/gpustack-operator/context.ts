import type { KubeClient } from '../../cluster/rest.ts';
import type { TimeScale } from '../../time/scale.ts';
import type { Rendering } from './render/pod.ts';

/** What every part of the operator works with. */
export interface Context extends Rendering {
  client: KubeClient;
  scale: TimeScale;
  log: (line: string) => void;
}
