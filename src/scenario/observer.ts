import type { KubeObject } from '../cluster/rest.ts';
import { recordLog, type FollowedLog } from '../cluster/logs.ts';
import { coreKinds, recordWatches, type RecordedWatches, type WatchedKind } from '../cluster/recorded-watch.ts';
import { meterCluster } from '../cluster/stall.ts';
import { sampleGauges, type GaugeSampler } from '../cluster/gauges.ts';
import { samplePath } from '../cluster/path-probe.ts';
import { sumGauges } from '../engines/metrics.ts';
import { dynamoFacts } from '../engines/dynamo/facts.ts';
import { routingProxy } from '../routers/routing-proxy.ts';
import { meterMachine } from '../cluster/canary.ts';
import { meterLoop } from '../time/stall.ts';
import { now } from '../time/clock.ts';
import { api } from '../systems/gpustack/names.ts';
import type { Bound } from './bind.ts';
import type { Environment } from './environment.ts';
import { collectKubeletLogs } from './kubelet-log.ts';
import { instancesIn, modelsIn } from './listed.ts';
import type { Live } from './live.ts';
import { addressOf, dynamoTypeOf, gaugesOf, hasProxy, instanceOf, modelOf, placeOf, podsOf, roleOf } from './pods.ts';
import { expectedRoles, plightOf } from './ready.ts';
import type { Scenario } from './scenario.ts';

/** Milliseconds of the wall between two samples of a Pod's gauges. */
const SAMPLE_MS = 100;

/** Milliseconds of the wall that a sample waits for its answer at least; else one documented second, like the hook. */
const TIMEOUT_AT_LEAST_MS = 150;

/** Milliseconds of the wall within which the log of a ready engine must be open. */
const LOG_MS = 15_000;

/** Milliseconds of the wall within which a ready engine answers a read of its gauges. */
const ANSWER_MS = 15_000;

const customKinds = (namespace: string, { deploy: { kind } }: Scenario): WatchedKind[] => [
  { kind: 'Service', path: `/api/v1/namespaces/${namespace}/services` },
  ...(kind === 'dynamo' ? dynamoKinds(namespace) : gpustackKinds(namespace)),
];

const dynamoKinds = (namespace: string): WatchedKind[] =>
  [dynamoFacts.record, dynamoFacts.graph].map(({ apiVersion, kind, plural }) => {
    return { kind, path: `/apis/${apiVersion}/namespaces/${namespace}/${plural}` };
  });

const gpustackKinds = (namespace: string): WatchedKind[] => [
  { kind: 'ModelDeployment', path: `/apis/${api.version}/namespaces/${namespace}/modeldeployments` },
  { kind: 'Workload', path: `/apis/${api.kueue}/namespaces/${namespace}/workloads` },
];

/** Everything that looks at the system while a scenario runs, and records what it sees. */
export class Observer {
  readonly #env: Environment;
  readonly #live: Live;
  /** By UID of the Pod and container. */
  readonly #logs = new Map<string, FollowedLog>();
  readonly #samplers = new Map<string, GaugeSampler>();
  readonly #probes: { stop(): void }[] = [];
  /** Sampled Pods that listen: the followers of a replica of several Pods do not. */
  readonly #listening = new Set<string>();
  readonly #meters: { stop(): void; summary(): { p50: number; p99: number; max: number } }[] = [];
  readonly #cpu = process.cpuUsage();
  #watches: RecordedWatches | undefined;
  #stopFollowing: (() => void) | undefined;

  constructor(env: Environment, live: Live) {
    this.#env = env;
    this.#live = live;
  }

  /** Opens the watches and starts the clocks; the namespace need not be there yet. */
  async start(scenario: Scenario): Promise<void> {
    const stall = (scope: 'harness' | 'cluster' | 'machine') => (from: number, to: number) =>
      this.#live.record('stall', [from, to], 'harness', { scope, from, to });
    this.#meters.push(
      meterLoop(stall('harness')),
      meterCluster(this.#env.client, stall('cluster')),
      meterMachine(stall('machine')),
    );
    const kinds = [...coreKinds(this.#env.namespace), ...customKinds(this.#env.namespace, scenario)];
    this.#watches = await recordWatches(this.#env.client, kinds, this.#live);
    this.#stopFollowing = this.#live.onEvent((kind, subject) => {
      if (kind === 'object.added' && subject.startsWith('Pod/')) this.#follow(subject);
    });
  }

  /** Waits until the log of every engine is followed. */
  async logsOpen(scenario: Scenario): Promise<void> {
    const engines = expectedRoles(scenario).flatMap((e) => podsOf(this.#live, e.deployment, e.role));
    const missing = () => engines.filter((pod) => !this.#live.logsOpen.has(pod.metadata.uid ?? ''));
    await this.#live.until(
      'the logs of the engines to be open',
      () => missing().length === 0,
      LOG_MS,
      () =>
        missing()
          .map((pod) => pod.metadata.name)
          .join(', '),
    );
  }

  /** Samples the gauges of every Pod that a case names, until it is gone. */
  sample(scenario: Scenario, bound: Bound): void {
    const loose = Object.values(scenario.cases)
      .filter((c) => c.index === undefined)
      .flatMap((c) => podsOf(this.#live, c.deployment, c.role));
    // One that has just crashed again is sampled too: its silence is what keeps the scenario from going on.
    for (const pod of [...bound.values(), ...loose]) {
      const uid = pod.metadata.uid ?? '';
      const host = addressOf(pod);
      if (!host || this.#samplers.has(uid)) continue;
      const { port, tls, names } = gaugesOf(pod);
      if (placeOf(pod).member === 0) this.#listening.add(uid);
      this.#samplers.set(
        uid,
        sampleGauges({
          host,
          port,
          tls,
          subject: `Pod/${pod.metadata.namespace}/${pod.metadata.name}`,
          uid,
          names,
          sum: sumGauges,
          everyMs: SAMPLE_MS,
          timeoutMs: Math.max(TIMEOUT_AT_LEAST_MS, this.#env.scale.toMs(1)),
          recorder: this.#live,
        }),
      );
    }
  }

  /**
   * Reads health and liveness of every frontend, and health of the workers that leave; waits until each frontend knows every
   * worker there is and a model.
   */
  async frontendsKnow(): Promise<void> {
    const pods = this.#live.of('Pod');
    const workersOf = (frontend: KubeObject) =>
      pods.filter((pod) => isWorker(pod) && instanceOf(pod) === instanceOf(frontend));
    // One that only prefills is no model yet, and a router has none.
    const modelsOf = (frontend: KubeObject) =>
      new Set(workersOf(frontend).flatMap((pod) => (dynamoTypeOf(pod) === 'prefill' ? [] : (modelOf(pod) ?? []))));
    const isWorker = (pod: KubeObject) => ![undefined, 'frontend'].includes(dynamoTypeOf(pod));
    const frontends = pods.filter((pod) => dynamoTypeOf(pod) === 'frontend');
    const leaving = pods.filter((pod) => isWorker(pod) && this.#samplers.has(pod.metadata.uid ?? ''));
    const { http, system } = dynamoFacts.ports;
    const sample = (of: readonly KubeObject[], port: number, path: string) =>
      of.map((pod) =>
        samplePath({
          host: addressOf(pod) ?? '',
          port,
          path,
          subject: `Pod/${pod.metadata.namespace}/${pod.metadata.name}`,
          uid: pod.metadata.uid ?? '',
          everyMs: SAMPLE_MS,
          timeoutMs: Math.max(TIMEOUT_AT_LEAST_MS, this.#env.scale.toMs(1)),
          recorder: this.#live,
        }),
      );
    this.#probes.push(...sample(frontends, http, '/health'), ...sample(frontends, http, '/live'));
    this.#probes.push(...sample(leaving, system, '/health'));
    const modelProbes = sample(frontends, http, '/v1/models');
    this.#probes.push(...modelProbes);
    const bodyOf = (uid: string | undefined, path: string) => this.#live.probed.get(`${uid} ${path}`)?.body;
    const known = ({ metadata: { uid, labels } }: KubeObject) =>
      instancesIn(bodyOf(uid, '/health'), labels?.[dynamoFacts.labels.namespace]);
    // Instances come before the model, whose card a frontend reads first; until then it answers 404.
    const models = ({ metadata: { uid } }: KubeObject) => modelsIn(bodyOf(uid, '/v1/models'));
    await this.#live.until(
      'every frontend to know every worker and its model',
      () => frontends.every((pod) => known(pod) >= workersOf(pod).length && models(pod) >= modelsOf(pod).size),
      this.#env.readyMs ?? ANSWER_MS,
      () =>
        frontends
          .map((pod) => {
            const said = this.#live.lastWords.complaint(pod);
            const knows = `${pod.metadata.name} knows ${known(pod)} of ${workersOf(pod).length}, ${models(pod)} models`;
            return said === undefined ? knows : `${knows}, and complains: ${said}`;
          })
          .join(', '),
    );
    for (const probe of modelProbes) probe.stop();
  }

  /** Waits until every sampled engine that listens has answered once: Ready alone says nothing where a Pod has no probe. */
  async enginesAnswer(): Promise<void> {
    const silent = () => [...this.#listening].filter((uid) => !this.#live.gauges.has(uid));
    await this.#live.until(
      'every engine to answer',
      () => silent().length === 0,
      this.#env.readyMs ?? ANSWER_MS,
      () => {
        const pods = this.#live.of('Pod').filter((pod) => silent().includes(pod.metadata.uid ?? ''));
        return `silent: ${pods.map((pod) => plightOf(this.#live, pod)).join('; ')}`;
      },
    );
  }

  /** What is fetched once at the end: the kubelet's log, and whether the watches told everything. */
  async collect(): Promise<void> {
    for (const sampler of [...this.#samplers.values(), ...this.#probes]) sampler.stop();
    await this.#watches?.settle();
    await collectKubeletLogs(this.#env, this.#live);
  }

  stop(): void {
    this.#stopFollowing?.();
    for (const sampler of [...this.#samplers.values(), ...this.#probes]) sampler.stop();
    for (const log of this.#logs.values()) log.stop();
    this.#watches?.stop();
    for (const meter of this.#meters) meter.stop();
  }

  /** What observing has cost this process so far. */
  cost(): Record<string, number> {
    const cpu = process.cpuUsage(this.#cpu);
    const [loop, cluster, machine] = this.#meters.map((meter) => meter.summary());
    return {
      cpuMs: (cpu.user + cpu.system) / 1000,
      apiCalls: this.#env.client.calls,
      rssMb: process.memoryUsage.rss() / 2 ** 20,
      loopDelayP50Ms: loop?.p50 ?? 0,
      loopDelayP99Ms: loop?.p99 ?? 0,
      loopDelayMaxMs: loop?.max ?? 0,
      clusterDelayP99Ms: cluster?.p99 ?? 0,
      clusterDelayMaxMs: cluster?.max ?? 0,
      machineDelayP99Ms: machine?.p99 ?? 0,
      machineDelayMaxMs: machine?.max ?? 0,
      wallMs: now(),
    };
  }

  #follow(subject: string): void {
    const pod = this.#live.objects.get(subject);
    const uid = pod?.metadata.uid ?? '';
    if (!pod || roleOf(pod) === undefined) return;
    const { name, namespace = '' } = pod.metadata;
    for (const container of ['main', ...(hasProxy(pod) ? [routingProxy.container] : [])]) {
      if (this.#logs.has(`${uid} ${container}`)) continue;
      const source = { namespace, pod: name, container, uid };
      this.#logs.set(`${uid} ${container}`, recordLog(this.#env.client, source, this.#live));
    }
  }
}
