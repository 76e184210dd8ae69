import { engineOf, sglangMode, type EngineName } from '../../engines/command.ts';
import type { SglangMode } from '../../engines/sglang.ts';
import type { Interval } from '../../time/interval.ts';
import type { CollectedPod, ReadLine, Sample, Sighting } from './collected.ts';
import { earliest } from './mark.ts';
import type { Mark } from './mark.ts';
import { condition, mainOf, placeOf, versionOf } from './objects.ts';
import type { PodFields } from './objects.ts';

/** An instant with the events that it rests on. */
export interface Instant {
  at: Interval;
  marks: { mark: Mark; what: string }[];
}

/** The end of the container `main`. */
export interface End extends Instant {
  exitCode: number | undefined;
}

/** What the kubelet's log says of a Pod's hook; milliseconds of the harness's clock where the node's offset is known. */
export interface HookLog {
  start?: Instant;
  /** SIGTERM to `main`. */
  signal?: Instant;
  /** Milliseconds from spawn to first sign of life. */
  startup?: number;
  /** Milliseconds from the hook's end to SIGTERM; below 0 where the signal came first. */
  endToSignal?: number;
  /** The signal was sent while the hook had not ended and never did. */
  signalledDuring?: boolean;
  marks: { mark: Mark; what: string }[];
}

/** What is known of one Pod's life. */
export interface PodFacts {
  uid: string;
  name: string;
  namespace: string;
  deployment: string;
  role: string;
  /** By time; the object as it was sighted. */
  sightings: Sighting<PodFields>[];
  newest: PodFields;
  ip: string | undefined;
  grace: number | undefined;
  /** What its `main` runs, and which half of a split pair, from its own command; undefined where that names no engine. */
  engine: EngineName | undefined;
  mode: SglangMode;
  hook: boolean;
  created: Mark;
  ready: Mark | undefined;
  /** First sight of Ready = False after it was True. */
  unready: Mark | undefined;
  /** First sight with a deletionTimestamp, and the last one without. */
  leaving: Sighting<PodFields> | undefined;
  lastStaying: Mark | undefined;
  /** First sight of the object's removal. */
  gone: Sighting<PodFields> | undefined;
  /** The delete, the start of the kill, the signal, the end: undefined where the history does not tell. */
  D: Instant | undefined;
  K: Instant | undefined;
  S: Instant | undefined;
  E: End | undefined;
  /** Its routing proxy's own line about a signal. */
  proxySignal: Mark | undefined;
  /** Whether the engine's log was followed without a loss known to the history. */
  logged: boolean;
  reads: ReadLine[];
  samples: Sample[];
  hookLog: HookLog | undefined;
}

export const byTime = <T extends Mark>(marks: readonly T[]): T[] =>
  [...marks].sort((a, b) => a.at[1] - b.at[1] || a.event.seq - b.event.seq);

/** What the sightings alone say of a Pod; undefined where it was never seen. */
export function describePod(pod: CollectedPod): Omit<PodFacts, 'D' | 'K' | 'S' | 'E' | 'hookLog'> | undefined {
  // Of two sights that arrived at one instant the version tells the order.
  const sightings = [...pod.sightings].sort(
    (a, b) => versionOf(a.object) - versionOf(b.object) || a.event.at[1] - b.event.at[1] || a.event.seq - b.event.seq,
  );
  const first = sightings[0];
  const newest = sightings.at(-1)?.object;
  if (!first || !newest) return undefined;
  const { name, namespace = '', labels: own = {} } = newest.metadata;
  const isReady = (s: Sighting<PodFields>) => condition(s.object, 'Ready')?.status === 'True';
  const staying = sightings.filter((s) => s.type !== 'deleted' && s.object.metadata.deletionTimestamp === undefined);
  const ready = earliest(sightings.filter(isReady));
  const ips = new Set(sightings.flatMap((s) => s.object.status?.podIP ?? []));
  const ip = [...ips].at(-1);
  const main = mainOf(newest);
  const command = main?.command ?? [];
  return {
    uid: pod.uid,
    name,
    namespace,
    ...placeOf(own),
    sightings,
    newest,
    ip,
    grace: newest.spec.terminationGracePeriodSeconds,
    engine: engineOf(command),
    mode: sglangMode(command),
    hook: main?.lifecycle?.preStop !== undefined,
    created: earliest(sightings) ?? first,
    ready,
    unready:
      ready && earliest(sightings.filter((s) => !isReady(s) && s.at[1] > ready.at[1] && condition(s.object, 'Ready'))),
    leaving: earliest(sightings.filter((s) => s.object.metadata.deletionTimestamp !== undefined)),
    lastStaying: staying.reduce<Mark | undefined>((a, b) => (a && a.at[0] >= b.at[0] ? a : b), undefined),
    gone: earliest(sightings.filter((s) => s.type === 'deleted')),
    proxySignal: earliest(pod.proxySignals),
    logged: pod.logOpened !== undefined,
    // Only the hook reads from inside the Pod; the harness reads from an address of its own.
    reads: byTime(pod.reads.filter((r) => r.client === ip || ['127.0.0.1', '::1', '[::1]'].includes(r.client))),
    samples: byTime(pod.samples),
  };
}
