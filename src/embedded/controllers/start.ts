import type { Context, Controller } from './context.ts';
import { Deployments } from './deployment/deployment.ts';
import { DisruptionBudgets } from './disruption.ts';
import { LegacyEndpoints } from './endpoints/endpoints.ts';
import { EndpointSlices } from './endpoints/slices.ts';
import { EventRecorder } from './event-recorder.ts';
import { GarbageCollector } from './garbage/collector.ts';
import { Informers } from './informer.ts';
import { startNamespaces } from './namespaces.ts';
import { startNodeLifecycle } from './node-lifecycle.ts';
import { startPodGarbageCollection } from './pod-gc.ts';
import { ReplicaSets } from './replicaset.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { startServiceAccounts } from './service-accounts.ts';
import type { KubeClient } from '../../cluster/rest.ts';
import type { TimeScale } from '../../time/scale.ts';

/** In the order of their start; those that react to a departure first hear of it first. */
const controllers: ((context: Context) => Controller)[] = [
  (context) => new EndpointSlices(context),
  (context) => new Scheduler(context),
  (context) => new ReplicaSets(context),
  (context) => new Deployments(context),
  (context) => new DisruptionBudgets(context),
  (context) => new LegacyEndpoints(context),
  startServiceAccounts,
  startNamespaces,
  startNodeLifecycle,
  startPodGarbageCollection,
  (context) => new GarbageCollector(context),
];

export interface ControllersOptions {
  client: KubeClient;
  scale: TimeScale;
  /** Takes what a person should read: repeated failures. */
  log?: (line: string) => void;
}

/** Starts all controllers against any API server; settles once each has seen the state of the cluster. */
export async function startControllers({
  client,
  scale,
  log = () => undefined,
}: ControllersOptions): Promise<Controller> {
  const informers = new Informers(client);
  const context: Context = { client, informers, scale, log, events: new EventRecorder(client) };
  const running = controllers.map((start) => start(context));
  await informers.ready();
  return {
    stop: () => {
      for (const controller of running) controller.stop();
      informers.stop();
    },
  };
}
