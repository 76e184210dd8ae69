import type { Bundle } from '../src/history/reader.ts';
import { OPERATOR } from '../src/systems/gpustack/operator.ts';

/** A kill of the operator: what it was aimed at, and where it fell. */
export interface Kill {
  state: string;
  /** Documented seconds after the state was seen. */
  after: number;
  /** State of the retirement as its dead operator left it; undefined where none was there. */
  fellIn: string | undefined;
  /** Milliseconds of the wall from the beginning of that state to the sight of the killed container. */
  ms: number;
}

interface Seen {
  metadata: { name: string; resourceVersion?: string };
  status?: {
    retirement?: { state?: string } | null;
    containerStatuses?: { restartCount?: number; state?: { terminated?: object } }[];
  };
}

interface Sight {
  kind: string;
  at: number;
  object: Seen;
}

const isAbout = (request: unknown): request is { deployment: string; state: string; after: number } =>
  typeof request === 'object' && request !== null && 'deployment' in request && 'after' in request;

/**
 * The kill of a bundle; undefined where there is none. A dead operator writes nothing: what it wrote last has the highest
 * version below that of the write that shows its container ended.
 */
export function killOf({ events }: Pick<Bundle, 'events'>): Kill | undefined {
  const sent = events.find((e) => e.kind === 'action.sent' && e.data.verb === 'kill');
  const request = sent?.kind === 'action.sent' ? sent.data.request : undefined;
  if (!isAbout(request)) return undefined;
  const sights = events
    .flatMap((e): Sight[] => {
      if (e.kind !== 'object.added' && e.kind !== 'object.modified') return [];
      const { object }: { object: unknown } = e.data;
      return [{ kind: e.subject.split('/')[0] ?? '', at: e.at[1], object: object as Seen }];
    })
    .sort((a, b) => versionOf(a.object) - versionOf(b.object));
  const ended = sights.find(({ kind, object }) => kind === 'Pod' && isOperator(object) && hasEnded(object));
  if (!ended) return undefined;
  const before = sights.filter(
    ({ kind, object }) =>
      kind === 'ModelDeployment' &&
      object.metadata.name === request.deployment &&
      versionOf(object) < versionOf(ended.object),
  );
  const fellIn = before.at(-1)?.object.status?.retirement?.state;
  const began = before.findLast(({ object }) => object.status?.retirement?.state !== fellIn);
  const first = before.find((sight) => began === undefined || versionOf(sight.object) > versionOf(began.object));
  return { state: request.state, after: request.after, fellIn, ms: Math.round(ended.at - (first?.at ?? ended.at)) };
}

const versionOf = ({ metadata }: Seen): number => Number(metadata.resourceVersion ?? 0);
const isOperator = ({ metadata }: Seen): boolean => metadata.name.startsWith(`${OPERATOR}-`);
const hasEnded = ({ status }: Seen): boolean =>
  (status?.containerStatuses ?? []).some((c) => (c.restartCount ?? 0) > 0 || c.state?.terminated !== undefined);
