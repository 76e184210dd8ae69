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

  createPod(deployment: ModelDeployment, role: Role, ordinal: number, how: Rendering): Promise<Pod> {
    const { namespace = '' } = deployment.metadata;
    return this.#client.create<Pod>(paths.pods(namespace), replicaPod(deployment, role, ordinal, how));
  }

  /** @param gracePeriodSeconds absent: the Pod leaves with its own grace */
  deletePod(pod: Pod, gracePeriodSeconds?: Seconds): Promise<void> {
    const path = `${paths.pods(pod.metadata.namespace ?? '')}/${pod.metadata.name}`;
    return this.#remove(path, pod, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
  }

  async createWorkload(deployment: ModelDeployment, role: Role, ordinal: number, how: Rendering, owner?: Pod) {
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
        ownerReferences: [owner ? podOwner(owner) : ownerOf(deployment)],
      },
      spec: { queueName: queueOf(role), podSets: [{ name: role.name, count: 1, template }] },
    });
  }

  /** From now on the Workload belongs to the Pod: it goes when the Pod's object is gone. */
  async bindWorkload(workload: Workload, pod: Pod): Promise<void> {
    await this.#client.patch(pathOf(workload), { metadata: { ownerReferences: [podOwner(pod)] } });
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
