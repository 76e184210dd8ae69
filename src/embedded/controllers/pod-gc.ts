import { isStatus } from '../../cluster/errors.ts';
import type { Context, Controller } from './context.ts';
import { isTerminal, isTerminating, keyOf, timestamp } from './objects.ts';
import type { Node, Pod } from './objects.ts';
import { collections, pathOf } from './paths.ts';
import { WorkQueue } from './queue.ts';

/** Documented seconds that a Node must be gone before its Pods are removed (kube-controller-manager: 40 s quarantine). */
const QUARANTINE_SECONDS = 40;

/** `--terminated-pod-gc-threshold` of kube-controller-manager. */
const TERMINATED_PODS = 12_500;

/** Removes Pods whose Node is gone, leaving Pods that no Node ever had, and the oldest ended Pods above a limit. */
export function startPodGarbageCollection({ client, informers, scale, log }: Context): Controller {
  const pods = informers.of<Pod>(collections.pods);
  const nodes = informers.of<Node>(collections.nodes);
  const goneSince = new Map<string, number>();
  const queue = new WorkQueue('pod-garbage-collector', reconcile, log);

  async function reconcile(key: string): Promise<void> {
    const pod = pods.get(key);
    if (!pod) return;
    const node = pod.spec.nodeName;
    if (!node) {
      if (isTerminating(pod)) await remove(pod);
      return;
    }
    if (nodes.get(`/${node}`)) return;
    const since = goneSince.get(node) ?? Date.now();
    goneSince.set(node, since);
    const waitMs = scale.toMs(QUARANTINE_SECONDS) - (Date.now() - since);
    if (waitMs > 0) return queue.addAfter(key, waitMs + 1);
    await fail(pod);
    await remove(pod);
  }

  async function fail(pod: Pod): Promise<void> {
    if (isTerminal(pod)) return;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
      lastTransitionTime: timestamp(),
    };
    const status = { phase: 'Failed', conditions: [condition] };
    await client
      .patch(`${pathOf(collections.pods, pod)}/status`, { metadata: { uid: pod.metadata.uid }, status }, 'strategic')
      .catch(ignoreMissing);
  }

  const remove = async (pod: Pod): Promise<void> => {
    const options = { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } };
    await client.remove(pathOf(collections.pods, pod), options).catch(ignoreMissing);
  };

  async function trim(): Promise<void> {
    const ended = [...pods.values()].filter(isTerminal);
    const age = (pod: Pod) => Date.parse(pod.metadata.creationTimestamp ?? '') || 0;
    const surplus = ended.sort((a, b) => age(a) - age(b)).slice(0, Math.max(0, ended.length - TERMINATED_PODS));
    for (const pod of surplus) await remove(pod);
  }

  pods.listen((type, pod) => {
    const orphaned = pod.spec.nodeName ? !nodes.get(`/${pod.spec.nodeName}`) : isTerminating(pod);
    if (type !== 'DELETED' && orphaned) queue.add(keyOf(pod));
  });
  nodes.listen((type, { metadata: { name } }) => {
    if (type !== 'DELETED') return void goneSince.delete(name);
    for (const pod of pods.values()) if (pod.spec.nodeName === name) queue.add(keyOf(pod));
  });
  // As in Kubernetes, the limit on ended Pods is looked at every 20 documented seconds.
  const timer = setInterval(
    () => void trim().catch((error: unknown) => log(`pod-garbage-collector: ${String(error)}`)),
    scale.toMs(20),
  );
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      queue.stop();
    },
  };
}

const ignoreMissing = (error: unknown): void => {
  if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
};
