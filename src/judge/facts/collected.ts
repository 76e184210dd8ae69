import type { DynamoLine } from '../../engines/dynamo/log.ts';
import type { EventData, EventOf } from '../../history/event.ts';
import type { LinedEvent } from '../../history/reader.ts';
import type { KubeletLine } from './klog.ts';
import type { Mark } from './mark.ts';
import type { KubeEventFields, ObjectFields, PodFields } from './objects.ts';

/** One sight of an object in a watch. */
export interface Sighting<T extends ObjectFields = ObjectFields> extends Mark {
  object: T;
  type: 'added' | 'modified' | 'deleted';
}

/** One answer, or none, to a read of a Pod's gauges by the harness. */
export interface Sample extends Mark {
  data: EventData<'gauges'>;
}

/** One answer, or none, to a read of a path such as `/health` by the harness. */
export interface PathSample extends Mark {
  data: EventData<'probe.http'>;
}

/** A line of uvicorn's access log about `/metrics`. */
export interface ReadLine extends Mark {
  client: string;
  status: number;
}

/** What a history says of one Pod, as it came. */
export interface CollectedPod {
  uid: string;
  sightings: Sighting<PodFields>[];
  /** Events of reason Killing about the container `main`. */
  killing: Mark[];
  signals: Mark[];
  /** Lines of its routing proxy that tell of a signal. */
  proxySignals: Mark[];
  reads: ReadLine[];
  received: (Mark & { request: string })[];
  samples: Sample[];
  /** Reads of `/health` and `/live`, and lines of a Dynamo component. */
  paths: PathSample[];
  said: (Mark & DynamoLine)[];
  lastLine?: Mark;
  logOpened?: Mark;
}

export interface CollectedRequest {
  id: string;
  planned: EventData<'request.planned'> | undefined;
  sent: (Mark & { address: string }) | undefined;
  headers: (Mark & { status: number }) | undefined;
  lastChunk: (Mark & { tokens: number }) | undefined;
  end: (Mark & { data: EventData<'request.end'> }) | undefined;
  received: (Mark & { uid: string })[];
}

export interface CollectedAction {
  id: string;
  sent?: Mark & { verb: string; target: string };
  answered?: Mark & { data: EventData<'action.answered'> };
  proved?: Mark & { proof: string };
}

/** Everything that judges read, in one pass over the events. */
export interface Collected {
  pods: Map<string, CollectedPod>;
  objects: Map<string, Sighting[]>;
  requests: Map<string, CollectedRequest>;
  actions: Map<string, CollectedAction>;
  cases: Map<string, EventOf<'case.bound'> & LinedEvent>;
  kubelet: (KubeletLine & { event: LinedEvent; node: string })[];
  offsets: Map<string, readonly [number, number]>;
  zero?: Mark & { plannedAt: number };
  windowEnded?: Mark;
}

export type { KubeEventFields };
