import type { KubeClient } from '../../cluster/rest.ts';
import type { TimeScale } from '../../time/scale.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { Informers } from './informer.ts';

/** What every controller is given. It reaches the cluster through the API alone. */
export interface Context {
  client: KubeClient;
  informers: Informers;
  events: EventRecorder;
  scale: TimeScale;
  log: (line: string) => void;
}

/** A running controller. */
export interface Controller {
  stop(): void;
}
