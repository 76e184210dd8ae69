import type { Context, Controller } from './context.ts';
import type { Informer } from './informer.ts';
import { controllerOf, isReady, isTerminal, isTerminating, keyOf, timestamp } from './objects.ts';
import type { Pod } from './objects.ts';
import { collections, pathOf } from './paths.ts';
import { WorkQueue } from './queue.ts';
import type { DisruptionBudget } from './scheduler/preemption.ts';
import { selects } from './selector.ts';
import { share } from './workloads.ts';
import type { ReplicaSet } from './workloads.ts';

/** Milliseconds after which an eviction that the API server granted, but that deleted no Pod, is forgotten (real: 2 min). */
const GRANT_MS = 120_000;

/** Writes how many Pods each PodDisruptionBudget may lose now; the eviction subresource takes from it. */
export class DisruptionBudgets implements Controller {
  readonly #context: Context;
  readonly #budgets: Informer<DisruptionBudget>;
  readonly #pods: Informer<Pod>;
  readonly #sets: Informer<ReplicaSet>;
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#budgets = context.informers.of(collections.disruptionBudgets);
    this.#pods = context.informers.of(collections.pods);
    this.#sets = context.informers.of(collections.replicaSets);
    this.#queue = new WorkQueue('disruption-controller', (key) => this.#reconcile(key), context.log);
    this.#budgets.listen((_type, budget) => this.#queue.add(keyOf(budget)));
    this.#pods.listen((_type, pod, former) => {
      for (const budget of this.#budgets.values()) {
        const covers = selects(budget.spec.selector, pod.metadata.labels);
        const covered = former && selects(budget.spec.selector, former.metadata.labels);
        if (budget.metadata.namespace === pod.metadata.namespace && (covers || covered)) this.#queue.add(keyOf(budget));
      }
    });
    this.#sets.listen((_type, set) => {
      for (const budget of this.#budgets.values()) {
        if (budget.metadata.namespace === set.metadata.namespace) this.#queue.add(keyOf(budget));
      }
    });
  }

  stop(): void {
    this.#queue.stop();
  }

  async #reconcile(key: string): Promise<void> {
    const budget = this.#budgets.get(key);
    if (!budget || isTerminating(budget)) return;
    const pods = [...this.#pods.values()].filter(
      (pod) =>
        pod.metadata.namespace === budget.metadata.namespace && selects(budget.spec.selector, pod.metadata.labels),
    );
    const disruptedPods = this.#granted(budget, pods);
    const { expectedPods, desiredHealthy } = this.#wanted(budget, pods);
    const currentHealthy = pods.filter(
      (pod) => isReady(pod) && !isTerminating(pod) && !isTerminal(pod) && !(pod.metadata.name in disruptedPods),
    ).length;
    const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
    const reason = disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods';
    const { generation: observedGeneration = 0, resourceVersion, uid } = budget.metadata;
    const numbers = { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed, observedGeneration };
    const former = budget.status ?? {};
    const same =
      Object.entries(numbers).every(([name, value]) => former[name as keyof typeof numbers] === value) &&
      Object.keys(former.disruptedPods ?? {}).length === Object.keys(disruptedPods).length &&
      former.conditions?.[0]?.reason === reason;
    if (same) return;
    const status = disruptionsAllowed > 0 ? 'True' : 'False';
    const condition = { type: 'DisruptionAllowed', status, reason, message: '', observedGeneration };
    // A PUT, so that entries of disruptedPods go; a stale version is refused and read anew.
    const body = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { ...budget.metadata, resourceVersion, uid },
      spec: budget.spec,
      status: { ...numbers, disruptedPods, conditions: [{ ...condition, lastTransitionTime: timestamp() }] },
    };
    const path = `${pathOf(collections.disruptionBudgets, budget)}/status`;
    this.#budgets.learn(await this.#context.client.replace<DisruptionBudget>(path, body));
  }

  /** Evictions that were granted and whose Pod is not marked as leaving yet. */
  #granted(budget: DisruptionBudget, pods: Pod[]): Record<string, string> {
    const kept = Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, at]) => {
      const pod = pods.find((p) => p.metadata.name === name);
      const restMs = Date.parse(at) + GRANT_MS - Date.now();
      if (!pod || isTerminating(pod) || restMs <= 0) return false;
      this.#queue.addAfter(keyOf(budget), restMs);
      return true;
    });
    return Object.fromEntries(kept);
  }

  #wanted({ spec }: DisruptionBudget, pods: Pod[]): { expectedPods: number; desiredHealthy: number } {
    if (spec.maxUnavailable !== undefined) {
      const expectedPods = this.#expected(pods);
      const desiredHealthy = Math.max(0, expectedPods - share(spec.maxUnavailable, expectedPods, 'up'));
      return { expectedPods, desiredHealthy };
    }
    if (typeof spec.minAvailable === 'string' && spec.minAvailable.endsWith('%')) {
      const expectedPods = this.#expected(pods);
      return { expectedPods, desiredHealthy: share(spec.minAvailable, expectedPods, 'up') };
    }
    return { expectedPods: pods.length, desiredHealthy: share(spec.minAvailable ?? 1, pods.length, 'up') };
  }

  /** What the controllers of the Pods want; for a controller without a known scale, as many Pods as it has. */
  #expected(pods: Pod[]): number {
    const sets = new Set<string>();
    let expected = 0;
    for (const pod of pods) {
      const owner = controllerOf(pod);
      const set =
        owner?.kind === 'ReplicaSet' ? this.#sets.get(`${pod.metadata.namespace ?? ''}/${owner.name}`) : undefined;
      if (!set) expected += 1;
      else if (!sets.has(keyOf(set))) {
        sets.add(keyOf(set));
        expected += set.spec.replicas ?? 1;
      }
    }
    return expected;
  }
}
