import { measureOffset } from './clock-offset.ts';
import { isStatus } from './errors.ts';
import { GuardedClient } from './guard.ts';
import { NAMESPACE_PREFIX, OWNED_LABEL, RUN_LEASE } from './ownership.ts';
import type { KubeClient, KubeObject } from './rest.ts';

/** Where a run owns objects by their own label: namespaces, which take all in them along, then what Pods in them may need to the end. */
const NAMESPACES = '/api/v1/namespaces';
const OTHERS = ['/apis/scheduling.k8s.io/v1/priorityclasses', '/api/v1/nodes'] as const;

/** Milliseconds that an object without a lease beside it may be: its run makes the lease right after the namespace. */
const YOUNG_MS = 5 * 60_000;

/** An object that a run owns by its own label. */
interface Owned {
  path: string;
  uid: string | undefined;
}

/** A run of which something is in the cluster. */
export interface RunInCluster {
  run: string;
  namespaces: Owned[];
  others: Owned[];
  /** `alive`: a lease holds; `unclear`: something is so young that its lease may be about to come; `foreign`: another holds its lease. */
  state: 'alive' | 'dead' | 'unclear' | 'foreign';
  /** When the newest lease was renewed, as it says itself. */
  renewed?: string;
}

interface Lease extends KubeObject {
  spec?: { holderIdentity?: string; leaseDurationSeconds?: number; renewTime?: string };
}

/**
 * Every run of which something is in the cluster, by label, and whether it is alive by its leases, on the API server's clock.
 * @throws KubeError where namespaces cannot be listed
 */
export async function runsInCluster(client: KubeClient): Promise<RunInCluster[]> {
  const clock = Date.now() + (await measureOffset(client))[0];
  const runs = new Map<string, RunInCluster>();
  const runOf = ({ metadata }: KubeObject): RunInCluster => {
    const run = metadata.labels?.[OWNED_LABEL] ?? '';
    const found = runs.get(run) ?? { run, namespaces: [], others: [], state: 'dead' };
    runs.set(run, found);
    return found;
  };
  const young = ({ metadata }: KubeObject) => clock - Date.parse(metadata.creationTimestamp ?? '') < YOUNG_MS;
  const namespaces = (await listOwned(client, NAMESPACES)).filter(({ metadata }) =>
    metadata.name.startsWith(NAMESPACE_PREFIX),
  );
  for (const namespace of namespaces) {
    const run = runOf(namespace);
    run.namespaces.push(owned(NAMESPACES, namespace));
    const spec = (await leaseOf(client, namespace.metadata.name))?.spec;
    if (!spec) {
      // It is going already, or its run was killed before it made the lease.
      const going = namespace.metadata.deletionTimestamp !== undefined;
      if (!going && young(namespace)) run.state = worse(run.state, 'unclear');
      continue;
    }
    const until = Date.parse(spec.renewTime ?? '') + (spec.leaseDurationSeconds ?? 0) * 1000;
    if (spec.holderIdentity !== run.run) run.state = worse(run.state, 'foreign');
    else if (until > clock) run.state = worse(run.state, 'alive');
    if ((spec.renewTime ?? '') > (run.renewed ?? '')) run.renewed = spec.renewTime ?? '';
  }
  for (const collection of OTHERS) {
    for (const object of await listOwned(client, collection)) {
      const run = runOf(object);
      run.others.push(owned(collection, object));
      // Between two scenarios a living run may have no namespace.
      if (run.namespaces.length === 0 && young(object)) run.state = worse(run.state, 'unclear');
    }
  }
  return [...runs.values()];
}

/** What is left of some runs, as paths. */
export const pathsOf = (runs: readonly RunInCluster[]): string[] =>
  runs.flatMap(({ namespaces, others }) => [...namespaces, ...others].map(({ path }) => path));

export interface SweepOptions {
  /** Milliseconds of the wall that namespaces may take to go; then their Nodes are taken, which frees what no kubelet ends. */
  patienceMs?: number;
  /** Hears of each object as it is asked to go. */
  told?: (path: string) => void;
}

/**
 * Deletes what these runs own, and nothing else, and waits until it is gone; answers the paths of what is still there.
 * @throws KubeError where the API server refuses or does not answer
 */
export async function sweepRuns(
  client: KubeClient,
  runs: readonly RunInCluster[],
  { patienceMs = 60_000, told = () => undefined }: SweepOptions = {},
): Promise<string[]> {
  const take = async ({ run }: RunInCluster, objects: readonly Owned[]) => {
    const guarded = new GuardedClient(client.connection, run);
    try {
      for (const object of objects) if (await remove(guarded, object)) told(object.path);
    } finally {
      guarded.close();
    }
  };
  for (const run of runs) await take(run, run.namespaces);
  const namespaces = runs.flatMap((run) => run.namespaces);
  await untilGone(client, namespaces, patienceMs);
  for (const run of runs) await take(run, run.others);
  const all = [...namespaces, ...runs.flatMap((run) => run.others)];
  return (await untilGone(client, all, patienceMs)).map(({ path }) => path);
}

/** Whether it was there to be asked to go. */
async function remove(client: GuardedClient, object: Owned): Promise<boolean> {
  const { path, uid } = object;
  try {
    // The garbage collector takes a node with its namespace, and the guard refuses to delete what it cannot look at.
    if (!(await isThere(client, object))) return false;
    await client.remove(path, {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    });
    return true;
  } catch (error) {
    if (isStatus(error, 404) || isStatus(error, 409)) return false; // gone, or a namesake is there now
    throw error;
  }
}

/** Milliseconds between two looks. A deleted namespace takes seconds. */
const LOOK_MS = 250;

/** Waits until the objects are gone; answers those that are not after `ms` milliseconds of the wall. */
export async function untilGone(client: KubeClient, objects: readonly Owned[], ms: number): Promise<Owned[]> {
  const end = Date.now() + ms;
  let left = [...objects];
  for (;;) {
    const there = await Promise.all(left.map((object) => isThere(client, object)));
    left = left.filter((_, i) => there[i]);
    if (left.length === 0 || Date.now() >= end) return left;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function isThere(client: KubeClient, { path, uid }: Owned): Promise<boolean> {
  try {
    return (await client.get(path)).metadata.uid === uid;
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
}

const order = ['dead', 'unclear', 'alive', 'foreign'] as const;
const worse = (a: RunInCluster['state'], b: RunInCluster['state']) => (order.indexOf(a) > order.indexOf(b) ? a : b);

const owned = (collection: string, { metadata }: KubeObject): Owned => ({
  path: `${collection}/${metadata.name}`,
  uid: metadata.uid,
});

async function leaseOf(client: KubeClient, namespace: string): Promise<Lease | undefined> {
  try {
    return await client.get<Lease>(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${RUN_LEASE}`);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

async function listOwned(client: KubeClient, collection: string): Promise<KubeObject[]> {
  try {
    return await client.list(`${collection}?labelSelector=${encodeURIComponent(OWNED_LABEL)}`);
  } catch (error) {
    // A user without these rights can have made none of them.
    if (collection !== NAMESPACES && isStatus(error, 403)) return [];
    throw error;
  }
}
