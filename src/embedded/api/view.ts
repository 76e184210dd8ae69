import type { IncomingMessage } from 'node:http';
import type { KubeObject } from '../../cluster/rest.ts';
import { apiVersionOf } from './resources.ts';
import type { Resource } from './resources.ts';
import type { Column } from './table/columns.ts';
import { columnsOf, rowOf } from './table/index.ts';
import { inVersion, textOf } from './text.ts';

const META = 'meta.k8s.io/v1';

/** How an answer shows its objects: whole, as metadata alone, or as rows of a Table. */
export type View = { kind: 'whole' } | { kind: 'metadata' } | { kind: 'table'; include: string };

/** The first media type that we serve decides; anything else, protobuf or no Accept at all, gets JSON. */
export function viewOf(request: IncomingMessage, query: URLSearchParams): View {
  for (const type of (request.headers.accept ?? '').split(',')) {
    const parameters = new Map(
      type
        .split(';')
        .slice(1)
        .map((p) => p.trim().split('=') as [string, string]),
    );
    const as = parameters.get('as');
    if (!type.includes('json')) continue;
    if (as === undefined) return { kind: 'whole' };
    if (parameters.get('g') !== 'meta.k8s.io') continue;
    if (as === 'Table') return { kind: 'table', include: query.get('includeObject') || 'Metadata' };
    if (as.startsWith('PartialObjectMetadata')) return { kind: 'metadata' };
  }
  return { kind: 'whole' };
}

/** A short text that tells views apart, as a key of caches. */
export const viewKey = (view: View): string => (view.kind === 'table' ? `table/${view.include}` : view.kind);

const partial = ({ metadata }: KubeObject) => ({ kind: 'PartialObjectMetadata', apiVersion: META, metadata });

/** One object as JSON text. `now`: milliseconds since 1970, for ages. */
export function showOne(object: KubeObject, resource: Resource, view: View, now: number): string {
  if (view.kind === 'whole') return textOf(object, resource);
  if (view.kind === 'metadata') return JSON.stringify(partial(object));
  const { resourceVersion } = object.metadata;
  return JSON.stringify(table([object], resource, view.include, now, { resourceVersion }));
}

/** A list as JSON text; `metadata` is that of the list. */
export function showList(
  objects: KubeObject[],
  resource: Resource,
  view: View,
  now: number,
  metadata: Record<string, unknown>,
): string {
  if (view.kind === 'table') return JSON.stringify(table(objects, resource, view.include, now, metadata));
  const head =
    view.kind === 'metadata'
      ? { kind: 'PartialObjectMetadataList', apiVersion: META, metadata }
      : { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata };
  const items = objects.map((o) => (view.kind === 'metadata' ? JSON.stringify(partial(o)) : textOf(o, resource)));
  return `${JSON.stringify(head).slice(0, -1)},"items":[${items.join(',')}]}`;
}

function table(objects: KubeObject[], resource: Resource, include: string, now: number, metadata: object) {
  const columns = columnsOf(resource);
  const shown = (object: KubeObject) =>
    include === 'None' ? undefined : include === 'Object' ? inVersion(object, resource) : partial(object);
  return {
    kind: 'Table',
    apiVersion: META,
    metadata,
    columnDefinitions: columns.map(({ jsonPath: _, ...column }: Column) => column),
    rows: objects.map((object) => ({ cells: rowOf(object, resource, now), object: shown(object) })),
  };
}
