import type { Recorder } from '../history/event.ts';
import { exactly } from '../time/interval.ts';
import { withoutManagedFields } from './actions.ts';
import { KubeError } from './errors.ts';
import { subjectOf } from './paths.ts';
import type { KubeClient } from './rest.ts';
import { Watch } from './watch.ts';
import type { WatchType } from './watch.ts';

/**
 * Milliseconds from a change to the arrival of its event: what arrives now happened at most so long ago. Measured on a
 * real API server over loopback: p99 2.3 ms, max 3.2 ms after the answer; six times that for a loaded machine.
 */
export const WATCH_LAG_MS = 20;

/** Milliseconds of quiet after which a recorded collection is listed, to find a connection that is dead without a word. */
const AUDIT_MS = 2000;

/** A collection to watch. */
export interface WatchedKind {
  kind: string;
  /** Path of the collection, with any selectors in its query. */
  path: string;
}

/** The kinds of a namespace that Kubernetes itself has and that a scenario looks at. */
export const coreKinds = (namespace: string): WatchedKind[] => [
  { kind: 'Pod', path: `/api/v1/namespaces/${namespace}/pods` },
  { kind: 'Event', path: `/api/v1/namespaces/${namespace}/events` },
  { kind: 'EndpointSlice', path: `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices` },
  { kind: 'Deployment', path: `/apis/apps/v1/namespaces/${namespace}/deployments` },
];

/** One node alone. */
export const nodeKind = (name: string): WatchedKind => ({
  kind: 'Node',
  path: `/api/v1/nodes?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`,
});

const eventKinds = { ADDED: 'object.added', MODIFIED: 'object.modified', DELETED: 'object.deleted' } as const;

export interface RecordedWatches {
  /** Asks the API server whether each watch has told all that happened, and records what one has not. */
  settle(): Promise<void>;
  stop(): void;
}

/**
 * Watches these collections and records what they tell, from the first list on. An object's instant is the arrival less
 * {@link WATCH_LAG_MS}, or since the beginning of the gap that hid it.
 * @throws KubeError where a collection cannot be listed within `timeoutMs` milliseconds, with the last answer
 */
export async function recordWatches(
  client: KubeClient,
  kinds: readonly WatchedKind[],
  recorder: Recorder,
  timeoutMs = 10_000,
): Promise<RecordedWatches> {
  const watches = kinds.map((kind) => recordWatch(client, kind, recorder));
  const stop = () => watches.forEach(({ watch }) => watch.stop());
  try {
    await Promise.all(
      watches.map(({ watch, failure }, i) =>
        inTime(watch.ready, timeoutMs, () => failure() ?? noAnswer(kinds[i]?.path ?? '')),
      ),
    );
  } catch (error) {
    stop();
    throw error;
  }
  return {
    settle: async () => void (await Promise.all(watches.map(({ watch }) => watch.audit()))),
    stop,
  };
}

function recordWatch(client: KubeClient, { kind, path }: WatchedKind, recorder: Recorder) {
  let failure: KubeError | undefined;
  const subject = 'harness';
  const watch = new Watch(
    client,
    path,
    {
      event(type: WatchType, object, at, since) {
        // The items of a list do not say their kind.
        const { metadata } = withoutManagedFields(object);
        recorder.record(eventKinds[type], [Math.min(since, at - WATCH_LAG_MS), at], subjectOf(kind, object.metadata), {
          object: { ...object, kind, metadata: { ...metadata } },
        });
      },
      opened: (resourceVersion, at) => recorder.record('watch.opened', exactly(at), subject, { path, resourceVersion }),
      gap: (from, to, reason) => recorder.record('watch.gap', [from, to], subject, { path, from, to, reason }),
      relisted: (reason, missed, at) =>
        recorder.record('watch.relisted', exactly(at), subject, { path, reason, missed }),
      unparsable: (line, at) => recorder.record('watch.unparsable', exactly(at), subject, { path, line }),
      failed: (error) => (failure = error),
    },
    { auditMs: AUDIT_MS },
  );
  return { watch, failure: () => failure };
}

const noAnswer = (path: string) =>
  new KubeError('GET', path, 0, undefined, new Error('the first list did not come in time'));

function inTime<T>(promise: Promise<T>, ms: number, error: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(error()), ms);
    void promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
