import type { IncomingMessage, ServerResponse } from 'node:http';
import { noSuchPath } from './errors.ts';
import { sendJson } from './reply.ts';
import { apiVersionOf } from './resources.ts';
import type { Resource, ResourceRegistry } from './resources.ts';

const versionOf = (group: string, v: string) => ({ groupVersion: group ? `${group}/${v}` : v, version: v });

const groupOf = (registry: ResourceRegistry, name: string) => {
  const versions = registry.versions(name).map((v) => versionOf(name, v));
  return { name, versions, preferredVersion: versions[0] };
};

/** Kinds and verbs of subresources that are no view of their resource. */
const subresources: Record<string, { kind: string; group?: string; version?: string; verbs: string[] }> = {
  status: { kind: '', verbs: ['get', 'patch', 'update'] },
  scale: { kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] },
  eviction: { kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
  binding: { kind: 'Binding', verbs: ['create'] },
  log: { kind: '', verbs: ['get'] },
  exec: { kind: 'PodExecOptions', verbs: ['create', 'get'] },
  finalize: { kind: '', verbs: ['update'] },
  proxy: { kind: 'NodeProxyOptions', verbs: ['get'] },
  token: { kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] },
  ephemeralcontainers: { kind: '', verbs: ['get', 'patch', 'update'] },
};

function entries(r: Resource) {
  const own = {
    name: r.plural,
    singularName: r.singular,
    namespaced: r.namespaced,
    kind: r.kind,
    verbs: r.verbs,
    ...(r.shortNames.length > 0 ? { shortNames: r.shortNames } : {}),
    ...(r.categories.length > 0 ? { categories: r.categories } : {}),
  };
  const subs = r.subresources.map((name) => {
    const { kind = '', verbs = [], group, version: v } = subresources[name] ?? {};
    return {
      name: `${r.plural}/${name}`,
      singularName: '',
      namespaced: r.namespaced,
      ...(group ? { group, version: v } : {}),
      kind: kind || r.kind,
      verbs,
    };
  });
  return [own, ...subs];
}

/** The same in the words of apidiscovery.k8s.io/v2. */
function aggregated(registry: ResourceRegistry, groups: string[]) {
  const resourceOf = (r: Resource) => ({
    resource: r.plural,
    responseKind: { group: r.group, version: r.version, kind: r.kind },
    scope: r.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: r.singular,
    verbs: r.verbs,
    ...(r.shortNames.length > 0 ? { shortNames: r.shortNames } : {}),
    ...(r.categories.length > 0 ? { categories: r.categories } : {}),
    ...(r.subresources.length > 0 ? { subresources: r.subresources.map((name) => subresourceOf(r, name)) } : {}),
  });
  const subresourceOf = (r: Resource, name: string) => {
    const { kind = '', verbs = [], group, version: v } = subresources[name] ?? {};
    const responseKind = { group: group ?? r.group, version: v ?? r.version, kind: kind || r.kind };
    return { subresource: name, responseKind, verbs };
  };
  const items = groups.map((group) => ({
    metadata: { ...(group ? { name: group } : {}), creationTimestamp: null },
    versions: registry.versions(group).map((v) => ({
      version: v,
      freshness: 'Current',
      resources: registry.inVersion(group, v).map(resourceOf),
    })),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const wantsAggregated = (request: IncomingMessage) =>
  /json;[^,]*as=APIGroupDiscoveryList/.test(request.headers.accept ?? '') &&
  /;v=v2(;|,|$)/.test(request.headers.accept ?? '');

/** Answers the paths of discovery; false where `path` is none of them. @throws ApiError 404 for an unknown group */
export function discover(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  registry: ResourceRegistry,
): boolean {
  const parts = path.split('/').slice(1);
  if (parts[0] === 'api' && parts.length === 1) {
    if (wantsAggregated(request)) sendJson(response, 200, aggregated(registry, ['']), AGGREGATED);
    else sendJson(response, 200, { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] });
  } else if (parts[0] === 'apis' && parts.length === 1) {
    if (wantsAggregated(request)) sendJson(response, 200, aggregated(registry, registry.groups()), AGGREGATED);
    else {
      const groups = registry.groups().map((name) => groupOf(registry, name));
      sendJson(response, 200, { kind: 'APIGroupList', apiVersion: 'v1', groups });
    }
  } else if (parts[0] === 'apis' && parts.length === 2) {
    const group = groupOf(registry, parts[1] as string);
    if (!group.preferredVersion) throw noSuchPath();
    sendJson(response, 200, { kind: 'APIGroup', apiVersion: 'v1', ...group });
  } else if ((parts[0] === 'api' && parts.length === 2) || (parts[0] === 'apis' && parts.length === 3)) {
    const [group, v] = parts[0] === 'api' ? ['', parts[1]] : [parts[1], parts[2]];
    const found = registry.inVersion(group as string, v as string);
    const [first] = found;
    if (!first) throw noSuchPath();
    const resources = found.flatMap(entries);
    sendJson(response, 200, {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: apiVersionOf(first),
      resources,
    });
  } else return false;
  return true;
}
