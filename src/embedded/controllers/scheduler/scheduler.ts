import { isStatus } from '../../../cluster/errors.ts';
import { FAULTS_ANNOTATION } from '../../environment.ts';
import { ACCELERATOR_RELEASED_AT_DELETE, parseFaults } from '../../faults.ts';
import type { Context, Controller } from '../context.ts';
import { kinds } from '../event-recorder.ts';
import type { Informer } from '../informer.ts';
import { condition, isTerminal, isTerminating, keyOf } from '../objects.ts';
import type { Node, Pod } from '../objects.ts';
import { collections, pathOf } from '../paths.ts';
import type { KubeObject } from '../../../cluster/rest.ts';
import { lackOf, unavailable } from './message.ts';
import { candidates, choose } from './preemption.ts';
import type { Candidate, DisruptionBudget } from './preemption.ts';
import { couldHold, fullness, priorityOf, Snapshot } from './snapshot.ts';
import { evict, tellUnschedulable } from './writes.ts';

/** The scheduler of Pods that name none. */
const SCHEDULER = 'default-scheduler';

/** Binds Pods to Nodes, the most important first; makes room by preemption where nothing else helps. */
export class Scheduler implements Controller {
  readonly #context: Context;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #namespaces: Informer;
  readonly #budgets: Informer<DisruptionBudget>;
  /** What we have decided and the watch has not told yet, by the Pod's uid. */
  readonly #bound = new Map<string, string>();
  readonly #nominated = new Map<string, string>();
  readonly #busy = new Set<string>();
  readonly #told = new Map<string, string>();
  #awake = false;
  #stopped = false;

  constructor(context: Context) {
    this.#context = context;
    this.#pods = context.informers.of(collections.pods);
    this.#nodes = context.informers.of(collections.nodes);
    this.#namespaces = context.informers.of(collections.namespaces);
    this.#budgets = context.informers.of(collections.disruptionBudgets);
    this.#pods.listen((type, pod, former) => {
      const uid = pod.metadata.uid ?? '';
      if (type === 'DELETED') for (const known of [this.#bound, this.#nominated, this.#told]) known.delete(uid);
      if (pod.spec.nodeName) this.#bound.delete(uid);
      if (!former || type !== 'MODIFIED' || changed(pod, former)) this.#wake();
    });
    this.#nodes.listen(() => this.#wake());
    this.#namespaces.listen(() => this.#wake());
  }

  stop(): void {
    this.#stopped = true;
  }

  #wake(): void {
    if (this.#awake || this.#stopped) return;
    this.#awake = true;
    setImmediate(() => {
      this.#awake = false;
      if (!this.#stopped) this.#schedule();
    });
  }

  #schedule(): void {
    const waiting = [...this.#pods.values()].filter((pod) => this.#waits(pod)).sort(byRank);
    if (waiting.length === 0) return;
    const snapshot = new Snapshot({
      nodes: this.#nodes.values(),
      pods: this.#pods.values(),
      nodeOf: (pod) => pod.spec.nodeName ?? this.#bound.get(pod.metadata.uid ?? ''),
      freeAtDelete: (pod) => this.#hasFault(pod),
    });
    for (const pod of waiting) {
      const node = this.#nominationOf(pod);
      if (node !== undefined) snapshot.nominate(pod, node);
    }
    for (const pod of waiting) if (!this.#busy.has(pod.metadata.uid ?? '')) this.#try(pod, snapshot);
  }

  #waits(pod: Pod): boolean {
    return (
      !pod.spec.nodeName &&
      !this.#bound.has(pod.metadata.uid ?? '') &&
      (pod.spec.schedulerName ?? SCHEDULER) === SCHEDULER &&
      (pod.spec.schedulingGates ?? []).length === 0 &&
      !isTerminating(pod) &&
      !isTerminal(pod)
    );
  }

  #hasFault(pod: Pod): boolean {
    const namespace = this.#namespaces.get(`/${pod.metadata.namespace ?? ''}`);
    return parseFaults(namespace?.metadata.annotations?.[FAULTS_ANNOTATION]).has(ACCELERATOR_RELEASED_AT_DELETE);
  }

  #nominationOf(pod: Pod): string | undefined {
    return this.#nominated.get(pod.metadata.uid ?? '') ?? pod.status?.nominatedNodeName;
  }

  #try(pod: Pod, snapshot: Snapshot): void {
    const nominated = this.#nominationOf(pod);
    const reasons: string[] = [];
    const fitting: { name: string; cost: number }[] = [];
    for (const [name, state] of snapshot.nodes) {
      const { fixed, lacking } = snapshot.reasons(pod, state);
      if (fixed !== undefined) reasons.push(fixed);
      else if (lacking.length > 0) reasons.push(...lacking.map(lackOf));
      else fitting.push({ name, cost: name === nominated ? -1 : fullness(pod, state) });
    }
    fitting.sort((a, b) => a.cost - b.cost || a.name.localeCompare(b.name));
    const best = fitting[0];
    if (best) {
      snapshot.place(pod, best.name);
      void this.#bind(pod, best.name);
      return;
    }
    const message = unavailable(snapshot.nodes.size, reasons);
    const preemption = this.#preempt(pod, snapshot, nominated);
    if (preemption === WAITS) return;
    if (typeof preemption === 'string') void this.#refuse(pod, `${message} ${NO_CLAIMS}, preemption: ${preemption}`);
    else void this.#evict(pod, preemption, message);
  }

  /** Whom to remove for a Pod, or why nobody. */
  #preempt(pod: Pod, snapshot: Snapshot, nominated: string | undefined): Candidate | string {
    if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
    const promised = snapshot.nodes.get(nominated ?? '');
    if (promised?.pods.some((other) => isTerminating(other) && priorityOf(other) < priorityOf(pod))) {
      return WAITS;
    }
    const chosen = choose(candidates(pod, snapshot, [...this.#budgets.values()]));
    if (chosen) return chosen;
    const words = [...snapshot.nodes.values()].map((state) =>
      snapshot.reasons(pod, state).fixed === undefined && couldHold(pod, state)
        ? 'No preemption victims found for incoming pod'
        : 'Preemption is not helpful for scheduling',
    );
    return unavailable(snapshot.nodes.size, words);
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    this.#bound.set(uid, node);
    try {
      const { name, namespace } = pod.metadata;
      await this.#context.client.create(`${pathOf(collections.pods, pod)}/binding`, {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, namespace, uid },
        target: { apiVersion: 'v1', kind: 'Node', name: node },
      });
      this.#nominated.delete(uid);
      this.#tell(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${node}`);
    } catch (error) {
      this.#bound.delete(uid);
      if (!isStatus(error, 404)) this.#later();
    }
  }

  async #refuse(pod: Pod, message: string): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    if (this.#told.get(uid) === message) return;
    this.#told.set(uid, message);
    this.#tell(pod, 'Warning', 'FailedScheduling', message);
    if (condition(pod.status?.conditions, 'PodScheduled')?.message === message) return;
    await tellUnschedulable(this.#context, pod, message, undefined).catch(() => this.#told.delete(uid));
  }

  async #evict(pod: Pod, { node, victims }: Candidate, message: string): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    const name = node.metadata.name;
    this.#busy.add(uid);
    this.#nominated.set(uid, name);
    try {
      await Promise.all(
        victims.filter((victim) => !isTerminating(victim)).map((victim) => evict(this.#context, victim)),
      );
      for (const victim of victims) {
        this.#tell(victim, 'Normal', 'Preempted', `Preempted by pod ${uid} on node ${name}`);
      }
      this.#told.set(uid, message);
      this.#tell(pod, 'Warning', 'FailedScheduling', message);
      await tellUnschedulable(this.#context, pod, message, name);
    } catch (error) {
      if (!isStatus(error, 404)) this.#later();
    } finally {
      this.#busy.delete(uid);
      this.#wake();
    }
  }

  #tell(pod: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#context.events.record(pod, kinds.pod, { type, reason, message, component: SCHEDULER });
  }

  /** Something was refused for a reason that no watch will tell about: look again soon. */
  #later(): void {
    setTimeout(() => this.#wake(), 100).unref();
  }
}

/** The victims are leaving: nothing is told until they are gone. */
const WAITS = 'waits for its victims';

/** What the plugin of dynamic resources says of a Pod that has no claims. */
const NO_CLAIMS = 'no new claims to deallocate';

const byRank = (a: Pod, b: Pod): number =>
  priorityOf(b) - priorityOf(a) ||
  (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '') ||
  Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion) ||
  keyOf(a).localeCompare(keyOf(b));

/** Whether a change of a Pod can change where Pods fit. */
const changed = (pod: Pod, former: Pod): boolean =>
  pod.metadata.uid !== former.metadata.uid ||
  pod.spec.nodeName !== former.spec.nodeName ||
  pod.spec.schedulingGates?.length !== former.spec.schedulingGates?.length ||
  isTerminal(pod) !== isTerminal(former) ||
  isTerminating(pod) !== isTerminating(former);
