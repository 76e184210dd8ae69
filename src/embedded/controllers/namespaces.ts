import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import type { Context, Controller } from './context.ts';
import { discover } from './kinds.ts';
import type { Kind } from './kinds.ts';
import { isTerminating } from './objects.ts';
import type { Pod } from './objects.ts';
import { collections, inNamespace } from './paths.ts';
import { WorkQueue } from './queue.ts';

/** Milliseconds of the wall between two looks at what is left, beside those that the end of a Pod causes. */
const LOOK_AGAIN_MS = 100;

const FINALIZER = 'kubernetes';

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
}

/** Empties a namespace that was deleted (its Pods with their grace), then lets it go. */
export function startNamespaces({ client, informers, log }: Context): Controller {
  const namespaces = informers.of<Namespace>(collections.namespaces);
  const pods = informers.of<Pod>(collections.pods);
  /** Kinds of which something was left at the last look: the others are looked at again only at the end. */
  const left = new Map<string, Kind[]>();
  const queue = new WorkQueue('namespace-controller', reconcile, log);

  async function reconcile(name: string): Promise<void> {
    const namespace = namespaces.get(`/${name}`);
    if (!namespace || !isTerminating(namespace) || !namespace.spec?.finalizers?.includes(FINALIZER)) return;
    const known = left.get(name);
    let rest = await empty(client, name, known ?? (await clearable(client)));
    // New objects may have come in kinds that were empty at the first look.
    if (known && rest.length === 0) rest = await empty(client, name, await clearable(client));
    left.set(name, rest);
    if (rest.length > 0) return queue.addAfter(name, LOOK_AGAIN_MS);
    const finalizers = namespace.spec.finalizers.filter((finalizer) => finalizer !== FINALIZER);
    const body = { ...namespace, apiVersion: 'v1', kind: 'Namespace', spec: { ...namespace.spec, finalizers } };
    await client.replace(`/api/v1/namespaces/${name}/finalize`, body);
    left.delete(name);
  }

  namespaces.listen((type, namespace) => {
    if (type === 'DELETED') left.delete(namespace.metadata.name);
    else if (isTerminating(namespace)) queue.add(namespace.metadata.name);
  });
  pods.listen((type, { metadata }) => {
    if (type === 'DELETED' && left.has(metadata.namespace ?? '')) queue.add(metadata.namespace ?? '');
  });
  return { stop: () => queue.stop() };
}

const clearable = async (client: KubeClient): Promise<Kind[]> =>
  (await discover(client)).filter(
    ({ namespaced, verbs }) => namespaced && verbs.includes('list') && verbs.includes('deletecollection'),
  );

/** Deletes all objects of these kinds in a namespace; answers the kinds of which something is still there. */
async function empty(client: KubeClient, namespace: string, kinds: Kind[]): Promise<Kind[]> {
  const looks = await Promise.all(
    kinds.map(async (kind) => {
      const path = inNamespace(kind.collection, namespace);
      let items = await client.list(path);
      if (items.some((item) => !isTerminating(item))) {
        await client.remove(path, { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' });
        items = await client.list(path);
      }
      return items.length > 0;
    }),
  );
  return kinds.filter((_kind, i) => looks[i]);
}
