import type { Node, Pod } from '../objects.ts';
import { isTerminating } from '../objects.ts';
import type { LabelSelector } from '../selector.ts';
import { selects } from '../selector.ts';
import type { KubeObject } from '../../../cluster/rest.ts';
import { add, insufficient, requestsOf } from './resources.ts';
import type { NodeState, Snapshot } from './snapshot.ts';
import { priorityOf } from './snapshot.ts';

export interface DisruptionBudget extends KubeObject {
  spec: { selector?: LabelSelector; minAvailable?: number | string; maxUnavailable?: number | string };
  status?: {
    disruptionsAllowed?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
    expectedPods?: number;
    observedGeneration?: number;
    disruptedPods?: Record<string, string>;
    conditions?: { type: string; status: string; reason?: string }[];
  };
}

export interface Candidate {
  node: Node;
  victims: Pod[];
  /** How many of the victims a PodDisruptionBudget protects; preemption may, but prefers not to. */
  violations: number;
}

/** The Nodes on which a Pod would fit if Pods of lower priority left, each with the fewest that have to. */
export function candidates(pod: Pod, snapshot: Snapshot, budgets: DisruptionBudget[]): Candidate[] {
  const found: Candidate[] = [];
  for (const state of snapshot.nodes.values()) {
    if (snapshot.reasons(pod, state).fixed !== undefined) continue;
    const candidate = victimsOn(pod, state, snapshot, budgets);
    if (candidate && candidate.victims.length > 0) found.push(candidate);
  }
  return found;
}

/** The best candidate: fewest violations, then the lowest priorities, the fewest victims, the youngest of them. */
export function choose(found: Candidate[]): Candidate | undefined {
  const rank = ({ victims, violations }: Candidate): number[] => [
    violations,
    Math.max(...victims.map(priorityOf)),
    victims.reduce((sum, victim) => sum + priorityOf(victim), 0),
    victims.length,
    -Math.min(...victims.map(startOf)),
  ];
  return found.map((candidate) => ({ candidate, rank: rank(candidate) })).sort((a, b) => compare(a.rank, b.rank))[0]
    ?.candidate;
}

/** Takes every lower Pod away, then lets as many stay as fit beside the new one: the most important first. */
function victimsOn(pod: Pod, state: NodeState, snapshot: Snapshot, budgets: DisruptionBudget[]): Candidate | undefined {
  const asked = requestsOf(pod);
  const lower = state.pods.filter((other) => priorityOf(other) < priorityOf(pod));
  const taken = new Map(snapshot.takenFor(pod, state));
  for (const other of lower) add(taken, requestsOf(other), -1);
  const fits = () => insufficient(state.allocatable, taken, asked).length === 0;
  if (!fits()) return undefined;

  const protectedOnes = violating(lower, budgets);
  const importance = (other: Pod) => [protectedOnes.has(other) ? 0 : 1, -priorityOf(other), startOf(other)];
  const victims: Pod[] = [];
  for (const other of [...lower].sort((a, b) => compare(importance(a), importance(b)))) {
    add(taken, requestsOf(other));
    if (fits()) continue;
    add(taken, requestsOf(other), -1);
    victims.push(other);
  }
  return { node: state.node, victims, violations: victims.filter((victim) => protectedOnes.has(victim)).length };
}

/** The Pods whose departure their budget does not allow. */
function violating(pods: Pod[], budgets: DisruptionBudget[]): Set<Pod> {
  const allowed = new Map(budgets.map((budget) => [budget, budget.status?.disruptionsAllowed ?? 0]));
  const found = new Set<Pod>();
  for (const pod of [...pods].sort((a, b) => priorityOf(b) - priorityOf(a))) {
    if (isTerminating(pod)) continue;
    for (const [budget, left] of allowed) {
      if (budget.metadata.namespace !== pod.metadata.namespace) continue;
      if (!selects(budget.spec.selector, pod.metadata.labels)) continue;
      if (left <= 0) found.add(pod);
      allowed.set(budget, left - 1);
    }
  }
  return found;
}

const startOf = (pod: Pod): number => Date.parse(pod.status?.startTime ?? pod.metadata.creationTimestamp ?? '') || 0;

function compare(a: number[], b: number[]): number {
  for (const [i, value] of a.entries()) if (value !== b[i]) return value - (b[i] ?? 0);
  return 0;
}
