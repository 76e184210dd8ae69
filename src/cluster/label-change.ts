import { OWNED_LABEL } from './ownership.ts';

type Labels = { metadata?: { labels?: Record<string, unknown> | null } | null } | undefined;

const POINTER = `/metadata/labels/${OWNED_LABEL.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * Whether a replacement or patch would give the label of ownership another value than `run`, or take it away. Where the
 * object is not `labelled` itself, the label may be absent.
 */
export function changesLabel(method: string, body: unknown, run: string, labelled: boolean): boolean {
  if (Array.isArray(body)) return body.some((operation) => operationChanges(operation as Operation, run, labelled));
  const metadata = (body as Labels)?.metadata;
  if (metadata === null || metadata?.labels === null) return labelled;
  const value = metadata?.labels?.[OWNED_LABEL];
  if (value !== undefined) return value !== run;
  return method === 'PUT' && labelled;
}

interface Operation {
  op?: string;
  path?: string;
  from?: string;
  value?: unknown;
}

function operationChanges({ op, path = '', from, value }: Operation, run: string, labelled: boolean): boolean {
  if (op === 'test') return false;
  if (op === 'move' && from !== undefined && (POINTER === from || POINTER.startsWith(`${from}/`))) return labelled;
  if (path === POINTER) return op === 'remove' ? labelled : value !== run;
  if (!POINTER.startsWith(`${path}/`) && path !== '') return false;
  // The whole of labels, metadata or object is replaced or removed.
  const labels =
    path === '/metadata/labels'
      ? value
      : path === '/metadata'
        ? (value as { labels?: unknown })?.labels
        : (value as Labels)?.metadata?.labels;
  const given = (labels as Record<string, unknown> | undefined)?.[OWNED_LABEL];
  return given === undefined ? labelled : given !== run;
}
