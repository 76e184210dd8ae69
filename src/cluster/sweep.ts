import { isStatus } from './errors.ts';
import { GuardedClient } from './guard.ts';
import { LEASE_ANNOTATION, OWNED_LABEL } from './ownership.ts';
import type { KubeClient, KubeObject } from './rest.ts';

/** Collections of the cluster in which a run owns objects by their own label; namespaces take the rest with them. */
const OWNED_COLLECTIONS = [
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
] as const;

/** A run that left something in the cluster. */
export interface RunInCluster {
  run: string;
  /** Paths of what carries its label. */
  paths: string[];
  /** The latest lease of its namespaces, in milliseconds since 1970; absent where none says one. */
  leaseUntil?: number;
}

/** The annotation by which a namespace says until when its run is surely alive. */
export const leaseFor = (ms: number): Record<string, string> => ({
  [LEASE_ANNOTATION]: new Date(Date.now() + ms).toISOString(),
});

/** Creates a namespace that this run owns, with a lease of `leaseMs` milliseconds. */
export const createNamespace = (
  client: GuardedClient,
  name: string,
  { annotations = {}, leaseMs }: { annotations?: Record<string, string>; leaseMs: number },
): Promise<KubeObject> =>
  client.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { [OWNED_LABEL]: client.run }, annotations: { ...annotations, ...leaseFor(leaseMs) } },
  });

/** Every run of which something is in the cluster. */
export async function runsInCluster(client: KubeClient): Promise<RunInCluster[]> {
  const runs = new Map<string, RunInCluster>();
  for (const collection of OWNED_COLLECTIONS) {
    for (const { metadata } of await listOwned(client, collection)) {
      const run = metadata.labels?.[OWNED_LABEL] ?? '';
      const found = runs.get(run) ?? { run, paths: [] };
      runs.set(run, found);
      found.paths.push(`${collection}/${metadata.name}`);
      const lease = Date.parse(metadata.annotations?.[LEASE_ANNOTATION] ?? '');
      if (!Number.isNaN(lease)) found.leaseUntil = Math.max(found.leaseUntil ?? 0, lease);
    }
  }
  return [...runs.values()];
}

/**
 * Deletes what dead runs left in the cluster, and nothing else; answers the paths. What is gone already is no error.
 * @throws KubeError where the API server refuses or does not answer
 */
export async function sweepCluster(client: KubeClient, deadRuns: readonly string[]): Promise<string[]> {
  const swept: string[] = [];
  for (const { run, paths } of await runsInCluster(client)) {
    if (!deadRuns.includes(run)) continue;
    const guarded = new GuardedClient(client.connection, run);
    try {
      for (const path of paths) {
        try {
          await guarded.remove(path);
          swept.push(path);
        } catch (error) {
          if (!isStatus(error, 404)) throw error;
        }
      }
    } finally {
      guarded.close();
    }
  }
  return swept;
}

async function listOwned(client: KubeClient, collection: string): Promise<KubeObject[]> {
  try {
    return await client.list(`${collection}?labelSelector=${encodeURIComponent(OWNED_LABEL)}`);
  } catch (error) {
    if (isStatus(error, 404) || isStatus(error, 403)) return []; // no such kind here, or none of our business
    throw error;
  }
}
