import { isStatus } from '../../../cluster/errors.ts';
import type { Context, Controller } from '../context.ts';
import { kinds } from '../event-recorder.ts';
import type { Informer } from '../informer.ts';
import { controllerOf, isTerminal, isTerminating, keyOf } from '../objects.ts';
import type { Pod } from '../objects.ts';
import { collections, inNamespace, pathOf } from '../paths.ts';
import { WorkQueue } from '../queue.ts';
import { selects } from '../selector.ts';
import type { Deployment, ReplicaSet } from '../workloads.ts';
import { HASH_LABEL, templateHash } from './hash.ts';
import { bounds, newestSize, shrinkOld } from './rolling.ts';
import { statusOf } from './status.ts';

const COMPONENT = 'deployment-controller';
const REVISION = 'deployment.kubernetes.io/revision';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const HISTORY = 'deployment.kubernetes.io/revision-history';
const MAXIMUM = 'deployment.kubernetes.io/max-replicas';

/** Turns the template of a Deployment into ReplicaSets, one a revision, and moves the Pods over to the newest. */
export class Deployments implements Controller {
  readonly #context: Context;
  readonly #deployments: Informer<Deployment>;
  readonly #sets: Informer<ReplicaSet>;
  readonly #pods: Informer<Pod>;
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#deployments = context.informers.of(collections.deployments);
    this.#sets = context.informers.of(collections.replicaSets);
    this.#pods = context.informers.of(collections.pods);
    this.#queue = new WorkQueue(COMPONENT, (key) => this.#reconcile(key), context.log);
    this.#deployments.listen((_type, deployment) => this.#queue.add(keyOf(deployment)));
    this.#sets.listen((_type, set) => this.#queueOwner(set));
    // Recreate waits for the old Pods' end, of which no ReplicaSet's status tells.
    this.#pods.listen((type, pod, former) => {
      if (type === 'DELETED' || (isTerminal(pod) && !(former && isTerminal(former)))) this.#queueOwnerOfPod(pod);
    });
  }

  stop(): void {
    this.#queue.stop();
  }

  #queueOwner(set: ReplicaSet): void {
    const owner = controllerOf(set);
    if (owner?.kind === 'Deployment') this.#queue.add(`${set.metadata.namespace ?? ''}/${owner.name}`);
  }

  #queueOwnerOfPod(pod: Pod): void {
    const owner = controllerOf(pod);
    const set = this.#sets.get(`${pod.metadata.namespace ?? ''}/${owner?.name ?? ''}`);
    if (owner?.kind === 'ReplicaSet' && set) this.#queueOwner(set);
  }

  async #reconcile(key: string): Promise<void> {
    const deployment = this.#deployments.get(key);
    if (!deployment) return;
    const hash = templateHash(deployment.spec.template);
    if (!isTerminating(deployment)) {
      const sets = await this.#claim(deployment);
      const newest = sets.find((set) => set.metadata.labels?.[HASH_LABEL] === hash);
      await this.#roll(
        deployment,
        hash,
        newest,
        sets.filter((set) => set !== newest),
      );
    }
    await this.#writeStatus(deployment, hash);
  }

  async #roll(deployment: Deployment, hash: string, found: ReplicaSet | undefined, old: ReplicaSet[]): Promise<void> {
    const { paused, replicas = 1, strategy } = deployment.spec;
    if (paused) {
      const active = [...old, ...(found ? [found] : [])].filter((set) => (set.spec.replicas ?? 0) > 0);
      const only = active.length === 1 ? active[0] : undefined;
      if (only) await this.#resize(deployment, only, replicas);
      return;
    }
    if (strategy?.type === 'Recreate') {
      for (const set of old) await this.#resize(deployment, set, 0);
      if (old.some((set) => this.#runs(set))) return;
      await this.#resize(deployment, found ?? (await this.#create(deployment, hash, replicas, old)), replicas);
    } else {
      const size = newestSize(deployment, found, [...old, ...(found ? [found] : [])]);
      const newest = found
        ? await this.#resize(deployment, await this.#renew(deployment, found, old), size)
        : await this.#create(deployment, hash, size, old);
      for (const { set, replicas: less } of shrinkOld(deployment, newest, old))
        await this.#resize(deployment, set, less);
    }
    await this.#forget(deployment, old);
  }

  /** The sets that the Deployment controls, oldest first, after adopting those that match and belong to nobody. */
  async #claim(deployment: Deployment): Promise<ReplicaSet[]> {
    const { namespace, uid } = deployment.metadata;
    const mine: ReplicaSet[] = [];
    for (const set of [...this.#sets.values()]) {
      if (set.metadata.namespace !== namespace) continue;
      const owner = controllerOf(set);
      if (owner?.uid === uid) mine.push(set);
      if (owner || isTerminating(set) || !selects(deployment.spec.selector, set.metadata.labels)) continue;
      const ownerReferences = [...(set.metadata.ownerReferences ?? []), ownerReference(deployment)];
      mine.push(await this.#patch(set, { metadata: { ownerReferences } }));
    }
    return mine.sort((a, b) => revisionOf(a) - revisionOf(b));
  }

  /** Whether Pods of the set are still there that have not ended. */
  #runs(set: ReplicaSet): boolean {
    return [...this.#pods.values()].some((pod) => controllerOf(pod)?.uid === set.metadata.uid && !isTerminal(pod));
  }

  async #create(deployment: Deployment, hash: string, replicas: number, old: ReplicaSet[]): Promise<ReplicaSet> {
    const { template, selector, minReadySeconds } = deployment.spec;
    const { namespace = '', name } = deployment.metadata;
    const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
    const set = await this.#context.client.create<ReplicaSet>(inNamespace(collections.replicaSets, namespace), {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: { [REVISION]: String(newestRevision(old) + 1), ...sizes(deployment) },
        ownerReferences: [ownerReference(deployment)],
      },
      spec: {
        replicas,
        ...(minReadySeconds ? { minReadySeconds } : {}),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    });
    this.#sets.learn(set);
    if (replicas > 0) this.#tell(deployment, `Scaled up replica set ${set.metadata.name} from 0 to ${replicas}`);
    return set;
  }

  /** A set that an edit went back to gets the highest revision again. */
  async #renew(deployment: Deployment, newest: ReplicaSet, old: ReplicaSet[]): Promise<ReplicaSet> {
    const annotations = sizes(deployment);
    const highest = newestRevision(old);
    const told = newest.metadata.annotations ?? {};
    if (revisionOf(newest) <= highest) {
      annotations[REVISION] = String(highest + 1);
      annotations[HISTORY] = [told[HISTORY], told[REVISION]].filter(Boolean).join(',');
    }
    const same = Object.entries(annotations).every(([name, value]) => told[name] === value);
    return same ? newest : this.#patch(newest, { metadata: { annotations } });
  }

  async #resize(deployment: Deployment, set: ReplicaSet, replicas: number): Promise<ReplicaSet> {
    const former = set.spec.replicas ?? 1;
    if (former === replicas) return set;
    const resized = await this.#patch(set, { metadata: { annotations: sizes(deployment) }, spec: { replicas } });
    const way = replicas > former ? 'up' : 'down';
    this.#tell(deployment, `Scaled ${way} replica set ${set.metadata.name} from ${former} to ${replicas}`);
    return resized;
  }

  async #patch(set: ReplicaSet, patch: { metadata: object; spec?: object }): Promise<ReplicaSet> {
    const { resourceVersion, uid } = set.metadata;
    const body = { ...patch, metadata: { ...patch.metadata, resourceVersion, uid } };
    const answer = await this.#context.client.patch<ReplicaSet>(pathOf(collections.replicaSets, set), body);
    this.#sets.learn(answer);
    return answer;
  }

  /** Removes empty old sets above the history limit, oldest first. */
  async #forget(deployment: Deployment, old: ReplicaSet[]): Promise<void> {
    const empty = old.filter((set) => (set.spec.replicas ?? 1) === 0 && (set.status?.replicas ?? 0) === 0);
    const surplus = Math.max(0, empty.length - (deployment.spec.revisionHistoryLimit ?? 10));
    for (const set of empty.slice(0, surplus)) {
      await this.#context.client.remove(pathOf(collections.replicaSets, set)).catch((error: unknown) => {
        if (!isStatus(error, 404)) throw error;
      });
    }
  }

  async #writeStatus(read: Deployment, hash: string): Promise<void> {
    const deployment = this.#deployments.get(keyOf(read));
    if (!deployment || deployment.metadata.uid !== read.metadata.uid) return;
    const all = [...this.#sets.values()].filter((set) => controllerOf(set)?.uid === deployment.metadata.uid);
    const newest = all.find((set) => set.metadata.labels?.[HASH_LABEL] === hash);
    const status = statusOf(deployment, newest, all, this.#context.scale);
    if ((status.unavailableReplicas ?? 0) > 0) this.#queue.addAfter(keyOf(deployment), 1000); // the progress deadline
    const revision = newest?.metadata.annotations?.[REVISION];
    const path = pathOf(collections.deployments, deployment);
    if (revision !== undefined && deployment.metadata.annotations?.[REVISION] !== revision) {
      await this.#context.client.patch(path, { metadata: { annotations: { [REVISION]: revision } } });
    }
    if (sameStatus(deployment.status ?? {}, status)) return;
    const patch = { metadata: { uid: deployment.metadata.uid }, status };
    this.#deployments.learn(await this.#context.client.patch<Deployment>(`${path}/status`, patch));
  }

  #tell(deployment: Deployment, message: string): void {
    const event = { type: 'Normal', reason: 'ScalingReplicaSet', message, component: COMPONENT } as const;
    this.#context.events.record(deployment, kinds.deployment, event);
  }
}

const revisionOf = (set: ReplicaSet): number => Number(set.metadata.annotations?.[REVISION] ?? 0);
const newestRevision = (sets: ReplicaSet[]): number => Math.max(0, ...sets.map(revisionOf));

const sizes = (deployment: Deployment): Record<string, string> => {
  const replicas = deployment.spec.replicas ?? 1;
  return { [DESIRED]: String(replicas), [MAXIMUM]: String(replicas + bounds(deployment).maxSurge) };
};

const sameStatus = (a: NonNullable<Deployment['status']>, b: NonNullable<Deployment['status']>): boolean =>
  a.conditions === b.conditions &&
  (
    [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
    ] as const
  ).every((field) => (a[field] ?? 0) === (b[field] ?? 0));

const ownerReference = ({ metadata: { name, uid } }: Deployment) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
