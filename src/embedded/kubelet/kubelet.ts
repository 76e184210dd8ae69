import { Readable } from 'node:stream';
import { PROCESS_NODE_LABEL } from '../../cluster/process-node.ts';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { Watch, type WatchType } from '../../cluster/watch.ts';
import type { TimeScale } from '../../time/scale.ts';
import { KubeletError, type ContainerRef, type KubeletApi } from '../kubelet-api.ts';
import type { ProgramRegistry } from '../programs.ts';
import { Addresses } from './addresses.ts';
import type { Container } from './container.ts';
import type { KubeletContext } from './context.ts';
import { execIn } from './exec.ts';
import { finalDelete } from './final-delete.ts';
import { KubeletLog } from './klog.ts';
import { viewLog } from './log-view.ts';
import { NamespaceFaults } from './namespace-faults.ts';
import { NodeAgent } from './node-agent.ts';
import { podName, type Pod } from './pod.ts';
import { PodEvents } from './pod-events.ts';
import { PodWorker } from './pod-worker.ts';
import { Processes } from './processes.ts';
import { Sources } from './sources.ts';
import { within } from './stamps.ts';

export interface KubeletOptions {
  client: KubeClient;
  programs: ProgramRegistry;
  timeScale: TimeScale;
  /** Marker of every process that the kubelet starts, and value of the label of the Nodes that it serves. */
  clusterId: string;
  /** Folder for Pods, volumes and logs; the kubelet removes what it makes there, its owner the folder itself. */
  folder: string;
  /** The kubeconfig that the programs of a container are given, as a path; `folder` is the container's own. */
  kubeconfigFor: (pod: Pod, folder: string) => Promise<string>;
  /** The one Node that is served, with the rights of its kubelet alone; absent: every Node with the label. */
  node?: { name: string; address: string; port: number };
  /** Reads the faults of namespaces, to which a Node has no right. Absent: `client`. */
  namespaces?: KubeClient;
  /** Hands out the Pods' addresses. Absent: loopback addresses. */
  addresses?: Addresses;
}

export interface Kubelet extends KubeletApi {
  /** Settles when the kubelet watches Nodes, Pods and namespaces, and its first Nodes are ready. */
  ready: Promise<void>;
  /** Kills all that runs. Settles when it is gone, at the latest after 3 s of the wall. */
  stop(): Promise<void>;
}

/** Milliseconds of the wall that killed processes are waited for. */
const STOP_MS = 3000;

/**
 * Serves every Node that carries PROCESS_NODE_LABEL: runs the Pods bound to it as processes of this host. It speaks
 * the Kubernetes API alone, so the server may be any.
 */
export function startKubelet(options: KubeletOptions): Kubelet {
  return new ProcessKubelet(options);
}

class ProcessKubelet implements Kubelet {
  readonly ready: Promise<void>;
  readonly #context: KubeletContext;
  readonly #faults: NamespaceFaults;
  readonly #agents = new Map<string, NodeAgent>();
  /** Workers by uid. */
  readonly #workers = new Map<string, PodWorker>();
  readonly #nodes: Watch;
  readonly #pods: Watch<Pod>;
  readonly #own: KubeletOptions['node'];
  readonly #over = new AbortController();

  constructor(options: KubeletOptions) {
    const { client, programs, timeScale, clusterId, folder, kubeconfigFor, node: own } = options;
    this.#own = own;
    this.#faults = new NamespaceFaults(options.namespaces ?? client);
    this.#context = {
      client,
      programs,
      scale: timeScale,
      clusterId,
      folder,
      kubeconfigFor,
      addresses: options.addresses ?? new Addresses(),
      sources: new Sources(client),
      events: new PodEvents(client),
      log: new KubeletLog(),
      processes: new Processes(),
      faults: (namespace) => this.#faults.of(namespace),
    };
    const named = own ? `?fieldSelector=metadata.name%3D${own.name}` : '';
    this.#nodes = new Watch(client, `/api/v1/nodes${named}`, { event: (type, node) => this.#node(type, node) });
    const bound = own ? `spec.nodeName%3D${own.name}` : 'spec.nodeName!%3D';
    this.#pods = new Watch<Pod>(client, `/api/v1/pods?fieldSelector=${bound}`, {
      event: (type, pod) => this.#pod(type, pod),
    });
    this.ready = this.#begin();
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a refusal is a rejection
  async logs(ref: ContainerRef, options: Parameters<KubeletApi['logs']>[1]): Promise<Readable> {
    const container = this.#find(ref);
    const log = options.previous ? container.previousLog : container.log;
    if (log) return viewLog(log, options);
    const name = `container "${ref.container}" in pod "${ref.pod}"`;
    if (options.previous) throw new KubeletError(400, `previous terminated ${name} not found`);
    const { state } = container.record;
    const reason = 'waiting' in state ? state.waiting.reason : 'ContainerCreating';
    throw new KubeletError(400, `${name} is waiting to start: ${reason}`);
  }

  async exec(ref: ContainerRef, command: string[], options: Parameters<KubeletApi['exec']>[2]) {
    const { sandbox } = this.#find(ref);
    if (!sandbox) throw new KubeletError(404, `container not found ("${ref.container}")`);
    return execIn(sandbox, command, options);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a refusal is a rejection
  async kubeletLog(nodeName: string): Promise<Readable> {
    if (!this.#agents.has(nodeName)) throw new KubeletError(404, `no process kubelet serves the node "${nodeName}"`);
    return Readable.from(
      (this.#context.log.lines(nodeName) ?? []).map((line) => `${line}\n`),
      { objectMode: false },
    );
  }

  async stop(): Promise<void> {
    this.#over.abort();
    this.#nodes.stop();
    this.#pods.stop();
    this.#faults.stop();
    for (const agent of this.#agents.values()) agent.stop();
    for (const worker of this.#workers.values()) worker.gone();
    const workers = [...this.#workers.values()].map((worker) => worker.done);
    await Promise.all([this.#context.processes.stop(STOP_MS), within(STOP_MS, Promise.all(workers))]);
  }

  async #begin(): Promise<void> {
    await Promise.all([this.#nodes.ready, this.#pods.ready, this.#faults.ready]);
    await Promise.all([...this.#agents.values()].map((agent) => agent.ready));
  }

  #node(type: WatchType, node: KubeObject): void {
    const { name, labels } = node.metadata;
    const label = labels?.[PROCESS_NODE_LABEL];
    const served =
      type !== 'DELETED' && (this.#own !== undefined || label === 'any' || label === this.#context.clusterId);
    const agent = this.#agents.get(name);
    if (served && !agent) {
      this.#context.log.info(name, 'Successfully registered node', { node: name });
      this.#agents.set(name, new NodeAgent(this.#context.client, this.#context.scale, node, this.#own));
      for (const pod of this.#pods.objects.values()) this.#pod('ADDED', pod);
    } else if (!served && agent) {
      agent.stop();
      this.#agents.delete(name);
    }
  }

  #pod(type: WatchType, pod: Pod): void {
    const { uid = podName(pod), deletionTimestamp } = pod.metadata;
    const worker = this.#workers.get(uid);
    if (type === 'DELETED') return worker?.gone();
    if (worker) return worker.update(pod);
    const agent = this.#agents.get(pod.spec.nodeName ?? '');
    if (!agent || this.#over.signal.aborted) return;
    const ended = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
    if (ended && deletionTimestamp === undefined) return;
    if (ended) return void finalDelete(this.#context.client, pod, this.#over.signal);
    this.#context.log.info(agent.name, 'SyncLoop ADD', { source: 'api', pod: podName(pod), podUID: uid });
    this.#run(pod, uid, agent).catch((error: unknown) => {
      this.#workers.delete(uid);
      this.#context.log.error(agent.name, 'Pod cannot be run', { pod: podName(pod), err: (error as Error).stack });
    });
  }

  async #run(pod: Pod, uid: string, agent: NodeAgent): Promise<void> {
    const worker = new PodWorker(
      this.#context,
      pod,
      agent.address,
      this.#faults.learn(pod.metadata.namespace ?? 'default'),
    );
    this.#workers.set(uid, worker);
    await worker.done;
    this.#workers.delete(uid);
  }

  #find({ nodeName, namespace, pod, container }: ContainerRef): Container {
    if (!this.#agents.has(nodeName)) throw new KubeletError(404, `no process kubelet serves the node "${nodeName}"`);
    const uid = this.#pods.objects.get(`${namespace}/${pod}`)?.metadata.uid ?? '';
    const found = this.#workers.get(uid)?.containers.find(({ spec }) => spec.name === container);
    if (!found)
      throw new KubeletError(404, `container "${container}" of pod "${namespace}/${pod}" is not on node "${nodeName}"`);
    return found;
  }
}
