import type { KubeClient } from '../../../src/cluster/rest.ts';

/** The label by which what a run made is known. */
export const LABEL = 'quiesce.dev/run';

export const leases = (namespace: string) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

const NAMESPACES = {
  'q-named-like-ours': {},
  'labelled-like-ours': { [LABEL]: 'run-theirs-1' },
  'q-led-by-another': { [LABEL]: 'run-theirs-2' },
  'q-just-made': { [LABEL]: 'run-theirs-3' },
};
const NODE = 'q-node';
const PRIORITY = 'q-urgent';

/** What a neighbour has that looks like ours: names, labels, leases, each of them and never all. */
export async function makeNeighbours(client: KubeClient): Promise<void> {
  for (const [name, labels] of Object.entries(NAMESPACES))
    await client.create('/api/v1/namespaces', { metadata: { name, labels } });
  await client.create(leases('q-led-by-another'), {
    metadata: { name: 'quiesce-run' },
    spec: { holderIdentity: 'another', leaseDurationSeconds: 1, renewTime: '2020-01-01T00:00:00.000000Z' },
  });
  await client.create('/api/v1/namespaces/q-named-like-ours/configmaps', {
    metadata: { name: 'quiesce', labels: { [LABEL]: 'run-theirs-1' } },
  });
  await client.create('/api/v1/nodes', { metadata: { name: NODE, labels: { 'quiesce.dev/pool': 'q' } } });
  await client.create('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: PRIORITY }, value: 1 });
}

/** Removes them from a cluster that stays. */
export async function removeNeighbours(client: KubeClient): Promise<void> {
  const paths = [
    ...Object.keys(NAMESPACES).map((name) => `/api/v1/namespaces/${name}`),
    `/api/v1/nodes/${NODE}`,
    `/apis/scheduling.k8s.io/v1/priorityclasses/${PRIORITY}`,
  ];
  for (const path of paths) await client.remove(path);
}

const KINDS = [
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/api/v1/pods',
  '/api/v1/configmaps',
  '/api/v1/services',
  '/api/v1/serviceaccounts',
  '/apis/apps/v1/deployments',
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/coordination.k8s.io/v1/leases',
];

/**
 * Everything in the cluster by kind, name, uid and labels; with it, whether any object was made anew or taken for ours.
 */
export async function everything(client: KubeClient): Promise<string[]> {
  const lists = await Promise.all(KINDS.map((kind) => client.list(kind)));
  return lists
    .flatMap((items, i) =>
      items.map(({ metadata: m }) => `${KINDS[i]} ${m.namespace ?? ''}/${m.name} ${m.uid} ${JSON.stringify(m.labels)}`),
    )
    .sort();
}
