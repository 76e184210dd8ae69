import { isStatus } from '../../cluster/errors.ts';
import type { KubeError } from '../../cluster/errors.ts';
import type { Context, Controller } from './context.ts';
import { kinds } from './event-recorder.ts';
import type { Informer } from './informer.ts';
import { controllerOf, isActive, isReady, isTerminating, keyOf } from './objects.ts';
import type { Pod } from './objects.ts';
import { collections, inNamespace, pathOf } from './paths.ts';
import { WorkQueue } from './queue.ts';
import { leavingOrder } from './replicaset-rank.ts';
import { selects } from './selector.ts';
import { readySince } from './workloads.ts';
import type { ReplicaSet } from './workloads.ts';

const COMPONENT = 'replicaset-controller';

/** Keeps as many active Pods as a ReplicaSet asks for. A leaving Pod is no longer active: it is replaced at once. */
export class ReplicaSets implements Controller {
  readonly #context: Context;
  readonly #sets: Informer<ReplicaSet>;
  readonly #pods: Informer<Pod>;
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#sets = context.informers.of(collections.replicaSets);
    this.#pods = context.informers.of(collections.pods);
    this.#queue = new WorkQueue(COMPONENT, (key) => this.#reconcile(key), context.log);
    this.#sets.listen((_type, set) => this.#queue.add(keyOf(set)));
    this.#pods.listen((_type, pod) => this.#queueOwner(pod));
  }

  stop(): void {
    this.#queue.stop();
  }

  #queueOwner(pod: Pod): void {
    const owner = controllerOf(pod);
    if (owner) {
      if (owner.kind === 'ReplicaSet') this.#queue.add(`${pod.metadata.namespace ?? ''}/${owner.name}`);
      return;
    }
    for (const set of this.#sets.values()) {
      const near = set.metadata.namespace === pod.metadata.namespace;
      if (near && selects(set.spec.selector, pod.metadata.labels)) this.#queue.add(keyOf(set));
    }
  }

  async #reconcile(key: string): Promise<void> {
    const set = this.#sets.get(key);
    if (!set) return;
    const mine = await this.#claim(set);
    if (!isTerminating(set)) await this.#scale(set, mine.filter(isActive));
    await this.#writeStatus(set);
  }

  /** The Pods that the set controls, after adopting those that match and belong to nobody. */
  async #claim(set: ReplicaSet): Promise<Pod[]> {
    const { namespace, uid, name } = set.metadata;
    const mine: Pod[] = [];
    for (const pod of [...this.#pods.values()]) {
      if (pod.metadata.namespace !== namespace) continue;
      const owner = controllerOf(pod);
      if (owner?.uid === uid) mine.push(pod);
      if (owner || isTerminating(set) || !isActive(pod) || !selects(set.spec.selector, pod.metadata.labels)) continue;
      const ownerReferences = [...(pod.metadata.ownerReferences ?? []), ownerReference(set, name)];
      const patch = { metadata: { uid: pod.metadata.uid, ownerReferences } };
      const adopted = await this.#context.client.patch<Pod>(pathOf(collections.pods, pod), patch);
      this.#pods.learn(adopted);
      mine.push(adopted);
    }
    return mine;
  }

  async #scale(set: ReplicaSet, active: Pod[]): Promise<void> {
    const wanted = set.spec.replicas ?? 1;
    const surplus = active.length - wanted;
    if (surplus > 0) {
      const leaving = leavingOrder(active, active).slice(0, surplus);
      await settle(leaving.map((pod) => this.#delete(set, pod)));
    } else if (surplus < 0) {
      await settle(Array.from({ length: -surplus }, () => this.#create(set)));
    }
  }

  async #create(set: ReplicaSet): Promise<void> {
    const { template } = set.spec;
    const { namespace = '', name } = set.metadata;
    try {
      const pod = await this.#context.client.create<Pod>(inNamespace(collections.pods, namespace), {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ...template.metadata,
          generateName: `${name}-`,
          namespace,
          ownerReferences: [ownerReference(set, name)],
        },
        spec: template.spec,
      });
      this.#pods.learn(pod);
      this.#tell(set, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
    } catch (error) {
      if (isStatus(error, 403) || isStatus(error, 422)) {
        this.#tell(set, 'Warning', 'FailedCreate', `Error creating: ${statusText(error as KubeError)}`);
      }
      throw error;
    }
  }

  async #delete(set: ReplicaSet, pod: Pod): Promise<void> {
    try {
      const preconditions = { uid: pod.metadata.uid };
      const answer = await this.#context.client.remove<Pod>(pathOf(collections.pods, pod), {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions,
      });
      if (answer.kind === 'Pod' && answer.metadata.deletionTimestamp) this.#pods.learn(answer);
      this.#tell(set, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
    }
  }

  async #writeStatus(read: ReplicaSet): Promise<void> {
    const set = this.#sets.get(keyOf(read));
    if (!set || set.metadata.uid !== read.metadata.uid) return;
    const active = [...this.#pods.values()].filter((p) => controllerOf(p)?.uid === set.metadata.uid && isActive(p));
    const ready = active.filter(isReady);
    const restMs = this.#context.scale.toMs(set.spec.minReadySeconds ?? 0);
    const available = ready.filter((pod) => restMs === 0 || Date.now() - readySince(pod) >= restMs);
    if (available.length < ready.length) this.#queue.addAfter(keyOf(set), Math.min(restMs, 1000));
    const labels = Object.entries(set.spec.template.metadata?.labels ?? {});
    const status = {
      replicas: active.length,
      fullyLabeledReplicas: active.filter((p) => labels.every(([k, v]) => p.metadata.labels?.[k] === v)).length,
      readyReplicas: ready.length,
      availableReplicas: available.length,
      observedGeneration: set.metadata.generation ?? 0,
    };
    if (Object.entries(status).every(([name, value]) => (set.status?.[name as keyof typeof status] ?? 0) === value))
      return;
    const path = `${pathOf(collections.replicaSets, set)}/status`;
    const { resourceVersion, uid } = set.metadata;
    this.#sets.learn(
      await this.#context.client.patch<ReplicaSet>(path, { metadata: { resourceVersion, uid }, status }),
    );
  }

  #tell(set: ReplicaSet, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#context.events.record(set, kinds.replicaSet, { type, reason, message, component: COMPONENT });
  }
}

const statusText = ({ body, message }: KubeError): string =>
  (body as { message?: string } | undefined)?.message ?? message;

const ownerReference = (set: ReplicaSet, name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name,
  uid: set.metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** Waits for all, then fails with the first failure. */
async function settle(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
