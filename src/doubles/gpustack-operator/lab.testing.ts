import { after, before } from 'node:test';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { Watch, type WatchType } from '../../cluster/watch.ts';
import { testServer, type TestServer } from '../../embedded/api/test-support.ts';
import { installDefinitions } from '../../systems/gpustack/install.ts';
import { modelDeployment } from '../../systems/gpustack/model-deployment.ts';
import type { Release } from '../../systems/gpustack/operator.ts';
import { condition, roleOf, type Pod } from '../../systems/gpustack/readers.ts';
import type { DeploymentInput, ModelDeployment, RoleInput } from '../../systems/gpustack/types.ts';
import { TimeScale } from '../../time/scale.ts';
import { freshAddress } from '../testing/wire.ts';
import type { OperatorFault, RetirementFault } from './faults.ts';
import { Operator } from './operator.ts';
import { paths, type Workload } from './snapshot.ts';

/** Milliseconds of the wall until a fact that does not come fails a test. */
const DEADLINE_MS = 30_000;

/** One namespace of a real API server with the operator in it and a kubelet that only plays the Pods' life. */
export class Lab {
  readonly ns: string;
  readonly client: KubeClient;
  /** Every event of the namespace's Pods, in order. */
  readonly seen: { type: WatchType; pod: Pod }[] = [];
  readonly log: string[] = [];
  /** Told of every version of every deployment. */
  onDeployment: (deployment: ModelDeployment) => void = () => undefined;
  /** While true, Pods that leave stay until `letGo`. */
  hold = false;
  /** Pods that never get a node. */
  unscheduled: (pod: Pod) => boolean = () => false;
  #operator: Operator | undefined;
  readonly #pods: Watch<Pod>;
  readonly #waiting = new Set<() => void>();
  readonly #watches: Watch[] = [];

  private constructor(client: KubeClient, ns: string) {
    this.client = client;
    this.ns = ns;
    const wake = () => {
      for (const look of [...this.#waiting]) look();
    };
    this.#pods = new Watch<Pod>(client, paths.pods(ns), {
      event: (type, pod) => {
        this.seen.push({ type, pod });
        if (type !== 'DELETED') void this.#play(pod);
        wake();
      },
    });
    for (const path of [paths.workloads(ns), paths.services(ns)]) {
      this.#watches.push(new Watch(client, path, { event: wake }));
    }
    const seen = (_type: WatchType, deployment: ModelDeployment) => {
      this.onDeployment(deployment);
      wake();
    };
    this.#watches.push(new Watch<ModelDeployment>(client, paths.deployments(ns), { event: seen }));
  }

  static async open(
    server: TestServer,
    name: string,
    annotations: Record<string, string> = {},
    labels: Record<string, string> = {},
  ): Promise<Lab> {
    await installDefinitions(server.client);
    const metadata = { name, annotations, labels };
    await server.client.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    return new Lab(server.client, name);
  }

  /** @param factor documented seconds a second of the wall */
  start(faults: (OperatorFault | RetirementFault)[] = [], release: Release = 'v0.9.2', factor = 20): void {
    const context = { client: this.client, faults: new Set<string>(faults), release, scale: new TimeScale(factor) };
    this.#operator = new Operator({ ...context, log: (line) => this.log.push(line) }, this.ns);
  }

  async stop(): Promise<void> {
    await this.#operator?.stop();
    this.#operator = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    for (const watch of [this.#pods, ...this.#watches]) watch.stop();
  }

  get pods(): Pod[] {
    return [...this.#pods.objects.values()].filter(roleOf).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  /** UIDs of Pods in the order in which they first had a deletion timestamp. */
  get left(): string[] {
    const leaving = this.seen.filter(({ pod }) => pod.metadata.deletionTimestamp !== undefined);
    return [...new Set(leaving.map(({ pod }) => pod.metadata.uid ?? ''))];
  }

  /** The first sight of each leaving Pod. */
  get departures(): Pod[] {
    return this.left.flatMap((uid) => {
      const first = this.seen.find(({ pod }) => pod.metadata.uid === uid && pod.metadata.deletionTimestamp);
      return first ? [first.pod] : [];
    });
  }

  async create(name: string, roles: RoleInput[], more: Partial<DeploymentInput> = {}): Promise<void> {
    const deployment = modelDeployment({ name, namespace: this.ns, roles, ...more }, 'v0.9.2');
    await this.client.create(paths.deployments(this.ns), deployment);
  }

  deployment(name: string): Promise<ModelDeployment> {
    return this.client.get<ModelDeployment>(`${paths.deployments(this.ns)}/${name}`);
  }

  workloads(): Promise<Workload[]> {
    return this.client.list<Workload>(paths.workloads(this.ns));
  }

  async edit(name: string, patch: object[]): Promise<number> {
    const path = `${paths.deployments(this.ns)}/${name}`;
    const edited = await this.client.patch<KubeObject>(path, patch, 'json');
    return edited.metadata.generation ?? 0;
  }

  /** The status once it satisfies `fact`. */
  async status(name: string, fact: (status: NonNullable<ModelDeployment['status']>) => boolean) {
    const found = await this.until(`status of ${name}`, async () => {
      const { status } = await this.deployment(name);
      return status && fact(status) ? status : undefined;
    });
    return found;
  }

  /** The status once the operator has seen this generation, and every replica is as specified and Ready. */
  settled(name: string, generation = 1) {
    return this.status(name, ({ observedGeneration = 0, phase, conditions = [] }) => {
      const upToDate = conditions.some((c) => c.type === 'ReplicasUpToDate' && c.status === 'True');
      return observedGeneration >= generation && phase === 'Ready' && upToDate;
    });
  }

  /** Waits on the events of the namespace until `fact` answers something. */
  async until<T>(what: string, fact: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
    let late = false;
    let wake: () => void = () => undefined;
    const look = () => wake();
    const timer = setTimeout(() => {
      late = true;
      wake();
    }, DEADLINE_MS);
    this.#waiting.add(look);
    try {
      while (!late) {
        const next = new Promise<void>((resolve) => (wake = resolve));
        const answer = await fact();
        if (answer !== undefined && answer !== false) return answer;
        await next;
      }
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
    throw new Error(
      `no ${what} within ${DEADLINE_MS} ms; Pods: ${this.pods.map((p) => p.metadata.name).join(' ')}\n${this.log.join('\n')}`,
    );
  }

  /** Changes what the kubelet says of a Pod's `main`. */
  async setContainer(pod: Pod, change: object): Promise<void> {
    const found = await this.client.get<Pod>(`${paths.pods(this.ns)}/${pod.metadata.name}`);
    const containerStatuses = found.status?.containerStatuses?.map((status) => ({ ...status, ...change }));
    await this.#write(pod, { containerStatuses });
  }

  /** Ends every Pod that leaves. */
  async letGo(): Promise<void> {
    await Promise.all(this.pods.filter((pod) => pod.metadata.deletionTimestamp).map((pod) => this.#end(pod)));
  }

  /** What scheduler and kubelet would do, at once: a new Pod is bound and Ready, a leaving one is gone. */
  async #play(pod: Pod): Promise<void> {
    if (!roleOf(pod)) return; // a router's, which its test plays
    if (pod.metadata.deletionTimestamp) {
      if (!this.hold) await this.#end(pod);
    } else if (condition(pod, 'Ready') !== 'True') {
      if (this.unscheduled(pod)) return;
      await this.#bind(pod);
      const conditions = [{ type: 'Ready', status: 'True' }];
      const main = { name: 'main', ready: true, restartCount: 0, containerID: `process://${pod.metadata.uid}` };
      const containerStatuses = [{ ...main, image: 'any', imageID: '', state: { running: {} } }];
      await this.#write(pod, { phase: 'Running', podIP: freshAddress(), conditions, containerStatuses });
    }
  }

  /** The API server removes a Pod without a node at its delete, whatever its grace. */
  async #bind({ metadata: { name }, spec }: Pod): Promise<void> {
    if (spec.nodeName) return;
    const target = { kind: 'Node', name: 'any' };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
    await this.client.create(`${paths.pods(this.ns)}/${name}/binding`, binding).catch(() => undefined);
  }

  async #end(pod: Pod): Promise<void> {
    await this.#write(pod, { phase: 'Succeeded' });
    const options = { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } };
    await this.client.remove(`${paths.pods(this.ns)}/${pod.metadata.name}`, options).catch(() => undefined);
  }

  async #write(pod: Pod, status: object): Promise<void> {
    await this.client.patch(`${paths.pods(this.ns)}/${pod.metadata.name}/status`, { status }).catch(() => undefined);
  }
}

/**
 * Opens labs on one API server of the test file that calls this, each in a namespace of its own, `prefix` and a number;
 * all are closed after the file's last test.
 */
export function labs(prefix: string) {
  const opened: Lab[] = [];
  let server: TestServer;
  let count = 0;
  before(async () => {
    server = await testServer();
  });
  after(async () => {
    await Promise.all(opened.map((lab) => lab.close()));
    await server.close();
  });
  return {
    server: () => server,
    async open(annotations: Record<string, string> = {}, labels: Record<string, string> = {}): Promise<Lab> {
      const lab = await Lab.open(server, `${prefix}-${(count += 1)}`, annotations, labels);
      opened.push(lab);
      return lab;
    },
  };
}
