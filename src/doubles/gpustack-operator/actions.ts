import { isStatus } from '../../cluster/errors.ts';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { api, labels } from '../../systems/gpustack/names.ts';
import type { Pod } from '../../systems/gpustack/readers.ts';
import type { ModelDeployment, Role } from '../../systems/gpustack/types.ts';
import type { Seconds } from '../../time/scale.ts';
import { quotaStatus } from './quota.ts';
import { groupOf, ownerOf, queueOf, replicaPod, type Rendering } from './render/pod.ts';
import { apiTime, paths, type Workload } from './snapshot.ts';

/** The writes of the operator. Each is safe to repeat: deletes name the UID they mean, creates use a fixed name or follow a fresh look. */
export class Actions {
  readonly #client: KubeClient;
  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** @param seat index of the member in its replica */
  createPod(deployment: ModelDeployment, role: Role, ordinal: number, how: Rendering, seat = 0): Promise<Pod> {
    const { namespace = '' } = deployment.metadata;
    return this.#client.create<Pod>(paths.pods(namespace), replicaPod(deployment, role, ordinal, how, seat));
  }

  /** Takes a Pod into endpoint selection, or out of it. */
  async setEligible(pod: Pod, eligible: boolean): Promise<void> {
    const { name, namespace = '', uid } = pod.metadata;
    const metadata = { uid, labels: { [labels.eligible]: eligible ? 'true' : null } };
    try {
      await this.#client.patch(`${paths.pods(namespace)}/${name}`, { metadata });
    } catch (error) {
      if (!isStatus(error, 404) && !isStatus(error, 409)) throw error; // gone, or another one of that name
    }
  }

  /** @param gracePeriodSeconds absent: the Pod leaves with its own grace */
  deletePod(pod: Pod, gracePeriodSeconds?: Seconds): Promise<void> {
    const path = `${paths.pods(pod.metadata.namespace ?? '')}/${pod.metadata.name}`;
    return this.#remove(path, pod, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
  }

  async createWorkload(deployment: ModelDeployment, role: Role, ordinal: number, how: Rendering, owners: Pod[]) {
    const { namespace = '' } = deployment.metadata;
    const pod = replicaPod(deployment, role, ordinal, how);
    const template = { metadata: { labels: pod.metadata.labels }, spec: pod['spec'] };
    await this.#client.create(paths.workloads(namespace), {
      apiVersion: api.kueue,
      kind: 'Workload',
      metadata: {
        name: groupOf(deployment, role.name, ordinal),
        namespace,
        labels: {
          [labels.instance]: deployment.metadata.name,
          [labels.component]: role.name,
          [labels.ordinal]: String(ordinal),
        },
        ownerReferences: owners.length > 0 ? owners.map(podOwner) : [ownerOf(deployment)],
      },
      spec: { queueName: queueOf(role), podSets: [{ name: role.name, count: role.size ?? 1, template }] },
    });
  }

  /** From now on the Workload belongs to the Pods: it goes when the last of their objects is gone. */
  async bindWorkload(workload: Workload, pods: Pod[]): Promise<void> {
    await this.#client.patch(pathOf(workload), { metadata: { ownerReferences: pods.map(podOwner) } });
  }

  removeWorkload(workload: Workload): Promise<void> {
    return this.#remove(pathOf(workload), workload, {});
  }

  async setQuota(workload: Workload, held: boolean, reason: string): Promise<void> {
    const status = quotaStatus(held, reason, apiTime());
    await this.#client.patch(`${pathOf(workload)}/status`, { status });
  }

  async #remove(path: string, object: KubeObject, options: object): Promise<void> {
    const preconditions = { uid: object.metadata.uid };
    try {
      await this.#client.remove(path, { apiVersion: 'v1', kind: 'DeleteOptions', preconditions, ...options });
    } catch (error) {
      if (!isStatus(error, 404) && !isStatus(error, 409)) throw error; // gone, or another one of that name
    }
  }
}

const pathOf = ({ metadata }: Workload): string => `${paths.workloads(metadata.namespace ?? '')}/${metadata.name}`;

const podOwner = ({ metadata: { name, uid = '' } }: Pod) => ({ apiVersion: 'v1', kind: 'Pod', name, uid });
