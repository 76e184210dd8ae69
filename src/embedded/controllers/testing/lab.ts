import type { TestContext } from 'node:test';
import { KubeClient } from '../../../cluster/rest.ts';
import type { KubeObject } from '../../../cluster/rest.ts';
import { Watch } from '../../../cluster/watch.ts';
import type { WatchType } from '../../../cluster/watch.ts';
import { TimeScale } from '../../../time/scale.ts';
import { makeCertificate } from '../../api/certificate.ts';
import { startApiServer } from '../../api/server.ts';
import { FAULTS_ANNOTATION } from '../../environment.ts';
import { KubeletError } from '../../kubelet-api.ts';
import { timestamp } from '../objects.ts';
import type { Condition, Pod } from '../objects.ts';
import { startControllers } from '../start.ts';

export interface Sighting<T extends KubeObject = KubeObject> {
  type: WatchType;
  object: T;
  at: number;
}

/** All that a watch told, in order. */
export interface Sightings<T extends KubeObject> {
  all: Sighting<T>[];
  /** The first sighting that fits, past or to come. */
  see(what: string, fits: (seen: Sighting<T>) => boolean): Promise<Sighting<T>>;
}

/** A real API server with the controllers; the tests act as the kubelet of Nodes that no process serves. */
export class Lab {
  readonly client: KubeClient;
  readonly #undo: (() => unknown)[] = [];
  #address = 1;

  private constructor(client: KubeClient) {
    this.client = client;
  }

  static async start(t: TestContext, timeScale = 1): Promise<Lab> {
    const nobody = () => Promise.reject(new KubeletError(404, 'no kubelet'));
    const kubelet = { logs: nobody, exec: nobody, kubeletLog: nobody };
    const server = await startApiServer({ host: '127.0.0.1', token: 'lab', tls: await makeCertificate(), kubelet });
    const lab = new Lab(new KubeClient({ server: server.plainUrl, token: 'lab' }));
    const log = (line: string) => t.diagnostic(line);
    const controllers = await startControllers({ client: lab.client, scale: new TimeScale(timeScale), log });
    t.after(async () => {
      controllers.stop();
      for (const step of lab.#undo) step();
      lab.client.close();
      await server.close();
    });
    return lab;
  }

  /** Watches a collection; `heard` is called with each sighting. */
  watch<T extends KubeObject = KubeObject>(path: string, heard: (seen: Sighting<T>) => void = () => {}): Sightings<T> {
    const all: Sighting<T>[] = [];
    const looks = new Set<() => void>();
    const watch = new Watch<T>(this.client, path, {
      event: (type, object, at) => {
        all.push({ type, object, at });
        for (const look of looks) look();
        heard({ type, object, at });
      },
    });
    this.#undo.push(() => watch.stop());
    const see: Sightings<T>['see'] = (what, fits) =>
      new Promise((resolve, reject) => {
        const late = () => reject(new Error(`not seen: ${what}; last: ${JSON.stringify(all.at(-1)?.object)}`));
        const timer = setTimeout(late, 10_000);
        const look = () => {
          const found = all.find(fits);
          if (!found) return;
          clearTimeout(timer);
          looks.delete(look);
          resolve(found);
        };
        looks.add(look);
        look();
      });
    return { all, see };
  }

  async namespace(name: string, faults?: string): Promise<void> {
    const annotations = faults === undefined ? {} : { [FAULTS_ANNOTATION]: faults };
    await this.client.create('/api/v1/namespaces', { metadata: { name, annotations } });
  }

  /** A Ready Node. */
  async node(name: string, capacity: Record<string, string>, spec: object = {}): Promise<void> {
    const all = { cpu: '8', memory: '8Gi', pods: '10', ...capacity };
    await this.client.create('/api/v1/nodes', {
      metadata: { name, labels: { 'kubernetes.io/hostname': name } },
      spec,
      status: { capacity: all, allocatable: all, conditions: [condition('Ready', 'True')] },
    });
  }

  /** A Pod that asks for accelerators; `spec` is merged over it. */
  async pod(
    namespace: string,
    name: string,
    accelerators: number,
    spec: object = {},
    metadata: object = {},
  ): Promise<Pod> {
    const limits = accelerators > 0 ? { limits: { 'nvidia.com/gpu': String(accelerators) } } : {};
    const containers = [{ name: 'main', image: 'test', resources: limits }];
    const body = { metadata: { name, ...metadata }, spec: { containers, ...spec } };
    return this.client.create<Pod>(`/api/v1/namespaces/${namespace}/pods`, body);
  }

  /** Says what a kubelet would of a Pod that runs. */
  run(pod: Pod, ready = true): Promise<Pod> {
    const podIP = pod.status?.podIP ?? `127.9.0.${this.#address++}`;
    const conditions = [condition('Ready', ready ? 'True' : 'False')];
    return this.#status(pod, { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions });
  }

  /** Says that all of a Pod has ended. */
  end(pod: Pod): Promise<Pod> {
    return this.#status(pod, { phase: 'Succeeded', conditions: [condition('Ready', 'False')] });
  }

  /** The kubelet's last delete. */
  async forget(pod: Pod): Promise<void> {
    const preconditions = { uid: pod.metadata.uid };
    await this.client.remove(pathOf(pod), { gracePeriodSeconds: 0, preconditions });
  }

  remove(pod: Pod): Promise<Pod> {
    return this.client.remove<Pod>(pathOf(pod));
  }

  #status(pod: Pod, status: object): Promise<Pod> {
    return this.client.patch<Pod>(
      `${pathOf(pod)}/status`,
      { metadata: { uid: pod.metadata.uid }, status },
      'strategic',
    );
  }
}

const pathOf = ({ metadata }: Pod) => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;

const condition = (type: string, status: 'True' | 'False'): Condition => ({
  type,
  status,
  lastTransitionTime: timestamp(),
});
