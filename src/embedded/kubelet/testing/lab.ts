import { join } from 'node:path';
import { PROCESS_NODE_LABEL } from '../../../cluster/process-node.ts';
import { KubeClient, type KubeObject } from '../../../cluster/rest.ts';
import { Watch, type WatchType } from '../../../cluster/watch.ts';
import { TimeScale } from '../../../time/scale.ts';
import { makeCertificate } from '../../api/certificate.ts';
import { startApiServer } from '../../api/server.ts';
import { FAULTS_ANNOTATION } from '../../environment.ts';
import { startKubelet, type Kubelet } from '../kubelet.ts';
import type { ContainerSpec, Condition, ContainerStatus, PodSpec } from '../pod.ts';
import { actor } from './actor.ts';
import { assertDefined, scratchFolder, until } from './scratch.ts';

/** Documented seconds a second of the wall in these tests, and the milliseconds that a busy machine may add. */
export const scale = new TimeScale(10);

export interface SeenPod extends KubeObject {
  spec: PodSpec;
  status: {
    phase: string;
    podIP?: string;
    conditions?: Condition[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

export interface Sighting {
  at: number;
  type: WatchType;
  pod: SeenPod;
}

export interface SeenEvent extends KubeObject {
  reason: string;
  message: string;
  type: string;
  involvedObject: { name: string; fieldPath?: string };
}

/** A real API server and a kubelet on one Node, with all that happens to Pods and Events of one namespace. */
export interface Lab {
  client: KubeClient;
  kubelet: Kubelet;
  folder: string;
  pods: Sighting[];
  events: { at: number; event: SeenEvent }[];
  namespace(name: string, faults?: string): Promise<void>;
  create(
    namespace: string,
    name: string,
    spec: Partial<PodSpec> & Pick<PodSpec, 'containers'>,
    more?: object,
  ): Promise<SeenPod>;
  /** Waits until a sighting of a Pod fits. */
  see(name: string, fits: (seen: Sighting) => boolean, what: string, ms?: number): Promise<Sighting>;
  ready(name: string): Promise<Sighting>;
  gone(name: string): Promise<Sighting>;
  log(namespace: string, name: string, container?: string, previous?: boolean): Promise<string>;
  stop(): Promise<void>;
}

export async function startLab(): Promise<Lab> {
  const { folder, remove } = scratchFolder();
  const programs: Record<string, { file: string; args: string[] }> = {
    actor: actor(folder),
    sh: { file: '/bin/sh', args: [] },
    broken: { file: '/nowhere/program', args: [] },
  };
  const late: { kubelet?: Kubelet } = {};
  const agent = () => assertDefined(late.kubelet);
  const token = 'lab';
  const server = await startApiServer({
    host: '127.0.0.1',
    token,
    tls: await makeCertificate(),
    kubelet: {
      logs: (...call) => agent().logs(...call),
      exec: (...call) => agent().exec(...call),
      kubeletLog: (...call) => agent().kubeletLog(...call),
    },
  });
  const client = new KubeClient({ server: server.plainUrl, token });
  const kubelet = startKubelet({
    client,
    programs: { known: (image) => image === 'test', resolve: (_, command) => programs[command ?? 'actor'] },
    timeScale: scale,
    clusterId: `lab${process.pid}`,
    folder: join(folder, 'kubelet'),
    kubeconfigFor: () => Promise.resolve('/dev/null'),
  });
  await client.create('/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } }).catch(() => {});
  await client.create('/api/v1/nodes', { metadata: { name: 'n1', labels: { [PROCESS_NODE_LABEL]: 'any' } } });
  late.kubelet = kubelet;
  const pods: Sighting[] = [];
  const events: Lab['events'] = [];
  const waiting = new Set<() => void>();
  const podWatch = new Watch<SeenPod>(client, '/api/v1/pods', {
    event: (type, pod, at) => {
      pods.push({ at, type, pod });
      for (const look of waiting) look();
    },
  });
  const eventWatch = new Watch<SeenEvent>(client, '/api/v1/events', {
    event: (_, event, at) => events.push({ at, event }),
  });
  await Promise.all([kubelet.ready, podWatch.ready, eventWatch.ready]);
  await until('the node is ready', async () => {
    const node = await client.get<KubeObject & { status?: { conditions?: Condition[] } }>('/api/v1/nodes/n1');
    return node.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True');
  });
  const stop = async () => {
    podWatch.stop();
    eventWatch.stop();
    await kubelet.stop();
    client.close();
    await server.close();
    remove();
  };

  const see: Lab['see'] = (name, fits, what, ms = 20_000) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        const last = pods.findLast(({ pod }) => pod.metadata.name === name)?.pod.status;
        reject(new Error(`not within ${ms} ms: ${name} ${what}; last seen ${JSON.stringify(last)}`));
      }, ms);
      const look = () => {
        const found = pods.find((seen) => seen.pod.metadata.name === name && fits(seen));
        if (!found) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    client,
    kubelet,
    folder,
    pods,
    events,
    see,
    stop,
    ready: (name) => see(name, ({ pod }) => condition(pod, 'Ready') === 'True', 'is ready'),
    gone: (name) => see(name, ({ type }) => type === 'DELETED', 'is gone'),
    namespace: async (name, faults) => {
      const annotations = faults === undefined ? {} : { annotations: { [FAULTS_ANNOTATION]: faults } };
      await client.create('/api/v1/namespaces', { metadata: { name, ...annotations } });
    },
    create: (namespace, name, spec, more = {}) => {
      const containers = spec.containers.map((c) => ({ ...c, image: c.image || 'test' }));
      return client.create<SeenPod>(`/api/v1/namespaces/${namespace}/pods`, {
        metadata: { name, ...more },
        spec: { nodeName: 'n1', ...spec, containers },
      });
    },
    log: async (namespace, name, container = 'main', previous = false) => {
      const stream = await kubelet.logs(
        { nodeName: 'n1', namespace, pod: name, container },
        { follow: false, timestamps: true, previous },
      );
      let text = '';
      for await (const part of stream) text += String(part);
      return text;
    },
  };
}

export const condition = (pod: SeenPod, type: string): string | undefined =>
  pod.status.conditions?.find((c) => c.type === type)?.status;

export const stateOf = (pod: SeenPod, container = 'main') =>
  [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])].find(
    (c) => c.name === container,
  );

/** A container of the test image that runs a script of the shell. */
export const sh = (name: string, script: string, more: Partial<ContainerSpec> = {}): ContainerSpec => ({
  name,
  image: 'test',
  command: ['sh', '-c', script],
  ...more,
});
/** A script that goes on for ever. */
export const STAYS = 'while :; do sleep 0.05; done';
