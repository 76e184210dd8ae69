import type { KubeClient, KubeObject } from '../../../cluster/rest.ts';
import { labels, labelValues } from '../../../systems/gpustack/names.ts';
import { podsPath, type Pod } from '../../../systems/gpustack/readers.ts';
import type { ModelDeployment } from '../../../systems/gpustack/types.ts';

/**
 * Every router process of a deployment that has an address, leaving ones included. A Pod counts only where its owners
 * say so: ReplicaSet, Deployment, this very ModelDeployment; labels alone could be anybody's.
 */
export async function routerPods(client: KubeClient, { metadata, spec }: ModelDeployment): Promise<Pod[]> {
  const { name, namespace = '', uid = '' } = metadata;
  const mine = [
    `${labels.name}=${labelValues.name}`,
    `${labels.instance}=${name}`,
    `${labels.router}=${spec.router?.name ?? ''}`,
  ].join(',');
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  const query = `?labelSelector=${encodeURIComponent(mine)}`;
  const [pods, sets, deployments] = await Promise.all([
    client.list<Pod>(podsPath(namespace, mine)),
    client.list(`${apps}/replicasets${query}`),
    client.list(`${apps}/deployments${query}`),
  ]);
  const owned = (object: KubeObject, owners: ReadonlySet<string>) =>
    object.metadata.ownerReferences?.some((o) => owners.has(o.uid)) ?? false;
  const uidsOf = (objects: KubeObject[]) => new Set(objects.map((o) => o.metadata.uid ?? ''));
  const ours = uidsOf(deployments.filter((d) => owned(d, new Set([uid]))));
  const generations = uidsOf(sets.filter((s) => owned(s, ours)));
  const over = (pod: Pod) => ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');
  return pods.filter((pod) => owned(pod, generations) && pod.status?.podIP && !over(pod));
}
