import type { KubeObject } from '../../cluster/rest.ts';
import type { Context, Controller } from './context.ts';
import { kinds } from './event-recorder.ts';
import { condition, isReady, timestamp } from './objects.ts';
import type { Node, Pod, Taint } from './objects.ts';
import { collections, pathOf } from './paths.ts';
import { WorkQueue } from './queue.ts';
import { notReadyTaint, unreachableTaint, unschedulableTaint } from './scheduler/filters.ts';

const COMPONENT = 'node-controller';

/** Documented seconds without a sign of life after which a Node is unreachable (`--node-monitor-grace-period`). */
const GRACE_SECONDS = 40;

/** At a high time scale the grace must stay above what a stall of a busy machine takes; milliseconds of the wall. */
const LEAST_GRACE_MS = 5000;

const managed = [notReadyTaint, unreachableTaint, unschedulableTaint];

/** Taints Nodes by their conditions, and tells that a Node is unreachable once its lease was not renewed. */
export function startNodeLifecycle({ client, informers, events, scale, log }: Context): Controller {
  const nodes = informers.of<Node>(collections.nodes);
  const leases = informers.of(collections.leases);
  const pods = informers.of<Pod>(collections.pods);
  /** When the last sign of life came, on our own clock: the stamps of others are not compared. */
  const heard = new Map<string, number>();
  const graceMs = Math.max(scale.toMs(GRACE_SECONDS), LEAST_GRACE_MS);
  const queue = new WorkQueue(COMPONENT, reconcile, log);

  async function reconcile(name: string): Promise<void> {
    const node = nodes.get(`/${name}`);
    if (!node) return;
    const ready = condition(node.status?.conditions, 'Ready');
    const restMs = (heard.get(name) ?? 0) + graceMs - performance.now();
    if (ready?.status !== 'Unknown') {
      if (restMs > 0) queue.addAfter(name, restMs + 1);
      else await tellUnreachable(node);
    }
    await writeTaints(nodes.get(`/${name}`) ?? node);
  }

  async function tellUnreachable(node: Node): Promise<void> {
    const reason = 'NodeStatusUnknown';
    const message = 'Kubelet stopped posting node status.';
    const unknown = { type: 'Ready', status: 'Unknown', reason, message, lastTransitionTime: timestamp() };
    const patch = { status: { conditions: [unknown] } };
    nodes.learn(await client.patch<Node>(`${pathOf(collections.nodes, node)}/status`, patch, 'strategic'));
    const told = `Node ${node.metadata.name} status is now: NodeNotReady`;
    events.record(node, kinds.node, { type: 'Normal', reason: 'NodeNotReady', message: told, component: COMPONENT });
    for (const pod of [...pods.values()]) {
      if (pod.spec.nodeName !== node.metadata.name || !isReady(pod)) continue;
      const lost = { type: 'Ready', status: 'False', lastTransitionTime: timestamp() };
      const body = { metadata: { uid: pod.metadata.uid }, status: { conditions: [lost] } };
      await client.patch(`${pathOf(collections.pods, pod)}/status`, body, 'strategic');
    }
  }

  async function writeTaints(node: Node): Promise<void> {
    const ready = condition(node.status?.conditions, 'Ready')?.status;
    const wanted: Taint[] = [];
    if (node.spec?.unschedulable) wanted.push({ key: unschedulableTaint, effect: 'NoSchedule' });
    if (ready === 'Unknown') wanted.push({ key: unreachableTaint, effect: 'NoSchedule' });
    else if (ready !== 'True') wanted.push({ key: notReadyTaint, effect: 'NoSchedule' });
    const known = node.spec?.taints ?? [];
    const kept = known.filter((taint) => !managed.includes(taint.key) || wanted.some((w) => w.key === taint.key));
    const missing = wanted.filter((taint) => !known.some((k) => k.key === taint.key));
    if (missing.length === 0 && kept.length === known.length) return;
    const taints = [...kept, ...missing.map((taint) => ({ ...taint, timeAdded: timestamp() }))];
    const patch = { metadata: { resourceVersion: node.metadata.resourceVersion }, spec: { taints } };
    nodes.learn(await client.patch<Node>(pathOf(collections.nodes, node), patch));
  }

  const alive = (name: string) => {
    heard.set(name, performance.now());
    queue.add(name);
  };
  nodes.listen((type, node, former) => {
    const { name } = node.metadata;
    if (type === 'DELETED') return void heard.delete(name);
    const beat = (of: Node | undefined) => of?.status?.conditions?.map((c) => `${c.type}${heartbeat(c)}`).join();
    const ours = condition(node.status?.conditions, 'Ready')?.status === 'Unknown';
    if (!former || (!ours && beat(node) !== beat(former))) alive(name);
    else queue.add(name);
  });
  leases.listen((type, lease: KubeObject) => {
    if (type !== 'DELETED' && lease.metadata.namespace === 'kube-node-lease') alive(lease.metadata.name);
  });
  return { stop: () => queue.stop() };
}

const heartbeat = (of: object): string => String((of as { lastHeartbeatTime?: string }).lastHeartbeatTime);
