import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { inNamespace } from './paths.ts';

/** A kind of object as discovery tells it. */
export interface Kind {
  group: string;
  version: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
  /** Path of the collection over all namespaces. */
  collection: string;
}

interface ResourceList {
  resources: { name: string; kind: string; namespaced: boolean; verbs: string[] }[];
}

interface GroupList {
  groups: { name: string; preferredVersion: { groupVersion: string }; versions: { groupVersion: string }[] }[];
}

/** Every kind that is served, each once, in the version that its group prefers. */
export async function discover(client: KubeClient): Promise<Kind[]> {
  const { groups } = await client.get<GroupList>('/apis');
  const paths = groups.flatMap(({ preferredVersion, versions }) => {
    const rest = versions.filter((v) => v.groupVersion !== preferredVersion.groupVersion);
    return [preferredVersion, ...rest].map((v) => `/apis/${v.groupVersion}`);
  });
  const lists = await Promise.all(['/api/v1', ...paths].map((path) => kindsAt(client, path)));
  const found = new Map<string, Kind>();
  for (const kind of lists.flat()) {
    const id = groupKind(kind);
    if (!found.has(id)) found.set(id, kind);
  }
  return [...found.values()];
}

async function kindsAt(client: KubeClient, path: string): Promise<Kind[]> {
  const { resources } = await client.get<ResourceList>(path);
  const [, , group = '', version = ''] = path.startsWith('/apis/') ? path.split('/') : ['', '', '', 'v1'];
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs }) => ({
      group,
      version,
      kind,
      namespaced,
      verbs,
      collection: `${path}/${name}`,
    }));
}

/** A kind's name without its version, as owner references are resolved. */
export const groupKind = ({ group, kind }: { group: string; kind: string }): string => `${group}/${kind}`;

/** The same, from the `apiVersion` and `kind` of a reference. */
export function groupKindOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  const slash = apiVersion.indexOf('/');
  return groupKind({ group: slash < 0 ? '' : apiVersion.slice(0, slash), kind });
}

/** Whether the controllers can list, watch and delete it. Events belong to nobody and go by themselves. */
export const isCollectable = ({ kind, verbs }: Kind): boolean =>
  kind !== 'Event' && ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb));

/** Path of the collection that an object is created in. @throws Error where its kind is not served */
export async function collectionFor(client: KubeClient, object: KubeObject): Promise<string> {
  const { apiVersion = 'v1', kind = '' } = object;
  const found = (await discover(client)).find((served) => groupKind(served) === groupKindOf({ apiVersion, kind }));
  if (!found) throw new Error(`${apiVersion} ${kind} ${object.metadata.name}: no such kind is served`);
  return found.namespaced ? inNamespace(found.collection, object.metadata.namespace ?? 'default') : found.collection;
}
