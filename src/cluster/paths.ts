import type { KubeObject } from './rest.ts';

/** What a path of the Kubernetes API names. */
export interface ApiPath {
  /** Empty for the core group. */
  group: string;
  version: string;
  namespace?: string;
  /** Plural name of the kind. */
  resource: string;
  /** Absent for a collection. */
  name?: string;
  subresource?: string;
  query: URLSearchParams;
}

/** The parts of a path, or undefined where it names no resource (discovery, health, and the like). */
export function parseApiPath(path: string): ApiPath | undefined {
  const { pathname, searchParams: query } = new URL(path, 'http://api');
  const words = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const root = words.shift();
  const group = root === 'apis' ? words.shift() : root === 'api' ? '' : undefined;
  const version = words.shift();
  if (group === undefined || version === undefined) return undefined;
  const [first, namespace, inNamespace] = words;
  // `/namespaces/NAME` is the Namespace itself, and `/namespaces/NAME/status` a part of it.
  const namespaced =
    first === 'namespaces' && inNamespace !== undefined && !['status', 'finalize'].includes(inNamespace);
  if (namespaced) words.splice(0, 2);
  const [resource, name, ...rest] = words;
  if (resource === undefined) return undefined;
  return {
    group,
    version,
    resource,
    query,
    ...(namespaced && namespace !== undefined ? { namespace } : {}),
    ...(name === undefined ? {} : { name }),
    ...(rest.length > 0 ? { subresource: rest.join('/') } : {}),
  };
}

/** The collection that an object belongs to. */
export function collectionPath({ apiVersion = 'v1', kind = '', metadata: { namespace } }: KubeObject): string {
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${base}${namespace ? `/namespaces/${namespace}` : ''}/${pluralOf(kind)}`;
}

export const objectPath = (object: KubeObject): string => `${collectionPath(object)}/${object.metadata.name}`;

/** `Kind/NAMESPACE/NAME`, or `Kind/NAME` without a namespace: the subject of what is recorded of an object. */
export const subjectOf = (kind: string, { namespace, name }: { namespace?: string; name: string }): string =>
  [kind, ...(namespace ? [namespace] : []), name].join('/');

/** The plural by which the API names a kind; it holds for every kind of Kubernetes but Endpoints. */
export function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (lower === 'endpoints') return lower;
  if (/(s|x|ch|sh)$/.test(lower)) return `${lower}es`;
  return lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}
