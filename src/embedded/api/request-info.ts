import { badRequest, noSuchPath } from './errors.ts';
import type { Resource, ResourceRegistry } from './resources.ts';

/** A request to a kind: what the path and the query of its URL say. */
export interface RequestInfo {
  resource: Resource;
  /** Empty for kinds outside namespaces, and for a list over all of them. */
  namespace: string;
  /** Empty for a collection. */
  name: string;
  subresource: string;
  /** What follows the subresource, such as the path of a proxy. */
  rest: string[];
  query: URLSearchParams;
}

/** Path and query of a request; lenient in the query (`?&limit=500`), strict in the encoding of the path. */
export function splitUrl(url: string): { path: string; query: URLSearchParams } {
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  return { path: path.replace(/\/+$/, '') || '/', query: new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1)) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest(`invalid URL escape ${JSON.stringify(part)}`);
  }
}

/** Subresources of a Namespace; any other third part of `/namespaces/NAME/…` is a kind in it. */
const namespaceParts = new Set(['status', 'finalize']);

/**
 * Reads `/api/v1/…` and `/apis/GROUP/VERSION/…`.
 * @throws ApiError 404 where no such kind is served
 */
export function readPath(path: string, query: URLSearchParams, registry: ResourceRegistry): RequestInfo {
  const parts = path.split('/').slice(1).map(decode);
  const core = parts[0] === 'api';
  const [group, version] = core ? ['', parts[1]] : [parts[1], parts[2]];
  let rest = parts.slice(core ? 2 : 3);
  let namespace = '';
  if (rest[0] === 'namespaces' && rest.length > 2 && !(core && namespaceParts.has(rest[2] as string))) {
    namespace = rest[1] as string;
    rest = rest.slice(2);
  }
  const [plural, name = '', subresource = ''] = rest;
  const resource = registry.find(group ?? '', version ?? '', plural ?? '');
  if (!resource || (!resource.namespaced && namespace)) throw noSuchPath();
  if (resource.namespaced && name && !namespace) throw noSuchPath();
  if (subresource && !resource.subresources.includes(subresource)) throw noSuchPath();
  return { resource, namespace, name, subresource, rest: rest.slice(3), query };
}

/** A whole number of the query; undefined where it is absent. @throws ApiError 400 where it is no number */
export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^-?\d{1,18}$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

export const flag = (query: URLSearchParams, name: string): boolean => {
  const value = query.get(name);
  return value === 'true' || value === '1' || value === '';
};
