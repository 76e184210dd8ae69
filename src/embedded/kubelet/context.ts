import type { KubeClient } from '../../cluster/rest.ts';
import type { TimeScale } from '../../time/scale.ts';
import type { ProgramRegistry } from '../programs.ts';
import type { Addresses } from './addresses.ts';
import type { Place } from './downward.ts';
import type { KubeletLog } from './klog.ts';
import type { ContainerSpec, Pod } from './pod.ts';
import type { PodEvents } from './pod-events.ts';
import type { Processes } from './processes.ts';
import type { Sources } from './sources.ts';

/** What all Pods of one kubelet share. */
export interface KubeletContext {
  client: KubeClient;
  programs: ProgramRegistry;
  scale: TimeScale;
  clusterId: string;
  /** Folder of the kubelet's own. */
  folder: string;
  kubeconfigFor: (pod: Pod, folder: string) => Promise<string>;
  addresses: Addresses;
  sources: Sources;
  events: PodEvents;
  log: KubeletLog;
  processes: Processes;
  /** Names of the faults switched on in a namespace, as far as known. */
  faults(namespace: string): ReadonlySet<string>;
}

/** What the containers of one Pod are given by it. */
export interface PodContext {
  shared: KubeletContext;
  /** The Pod as last seen. */
  pod(): Pod;
  place: Place;
  /** Folders of the host by name of volume. */
  volumes: ReadonlyMap<string, string>;
  faults(): ReadonlySet<string>;
  /** Something that the Pod's status tells has changed. */
  changed(): void;
  /** Writes an Event about a container; settles when the API server has it. */
  event(type: 'Normal' | 'Warning', reason: string, message: string, container: ContainerSpec): Promise<void>;
  /** A line of the kubelet's log about a container. */
  log(message: string, container: ContainerSpec, values?: Record<string, string | number | boolean | undefined>): void;
}
