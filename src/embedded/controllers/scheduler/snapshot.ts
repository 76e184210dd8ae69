import type { Node, Pod } from '../objects.ts';
import { isTerminal, isTerminating } from '../objects.ts';
import { unfit } from './filters.ts';
import { add, allocatableOf, insufficient, requestsOf } from './resources.ts';
import type { Resources } from './resources.ts';

/** One Node at one instant, with what its Pods hold. */
export interface NodeState {
  node: Node;
  allocatable: Resources;
  taken: Resources;
  /** Pods that hold something here, the leaving ones too. */
  pods: Pod[];
}

export interface SnapshotInput {
  nodes: Iterable<Node>;
  pods: Iterable<Pod>;
  /** The Node of a Pod: its own word, or what we have just bound it to. */
  nodeOf: (pod: Pod) => string | undefined;
  /** Whether what a leaving Pod holds counts as free already (a fault; never in Kubernetes). */
  freeAtDelete: (pod: Pod) => boolean;
}

/** All Nodes at one instant. A Pod holds its resources until its phase is terminal. */
export class Snapshot {
  readonly nodes = new Map<string, NodeState>();
  /** Pods of higher or equal rank that wait for room on a Node, by the Node's name. */
  readonly #nominated = new Map<string, Pod[]>();

  constructor({ nodes, pods, nodeOf, freeAtDelete }: SnapshotInput) {
    for (const node of nodes) {
      if (isTerminating(node)) continue;
      this.nodes.set(node.metadata.name, { node, allocatable: allocatableOf(node), taken: new Map(), pods: [] });
    }
    for (const pod of pods) {
      if (isTerminal(pod) || (isTerminating(pod) && freeAtDelete(pod))) continue;
      this.place(pod, nodeOf(pod));
    }
  }

  place(pod: Pod, nodeName: string | undefined): void {
    const state = this.nodes.get(nodeName ?? '');
    if (!state) return;
    state.pods.push(pod);
    add(state.taken, requestsOf(pod));
  }

  nominate(pod: Pod, nodeName: string): void {
    this.#nominated.set(nodeName, [...(this.#nominated.get(nodeName) ?? []), pod]);
  }

  /** What is taken on a Node for this Pod's eyes: with the room that Pods of its rank or above were promised. */
  takenFor(pod: Pod, state: NodeState): Resources {
    const promised = (this.#nominated.get(state.node.metadata.name) ?? []).filter(
      (other) => other.metadata.uid !== pod.metadata.uid && priorityOf(other) >= priorityOf(pod),
    );
    if (promised.length === 0) return state.taken;
    const taken = new Map(state.taken);
    for (const other of promised) add(taken, requestsOf(other));
    return taken;
  }

  /** Why the Node cannot take the Pod now: reasons that preemption can cure are told apart. Both empty: it can. */
  reasons(pod: Pod, state: NodeState): { fixed?: string; lacking: string[] } {
    const fixed = unfit(pod, state.node);
    if (fixed !== undefined) return { fixed, lacking: [] };
    return { lacking: insufficient(state.allocatable, this.takenFor(pod, state), requestsOf(pod)) };
  }
}

/** Whether the Node could hold the Pod if it were empty. */
export const couldHold = (pod: Pod, { allocatable }: NodeState): boolean =>
  insufficient(allocatable, new Map(), requestsOf(pod)).length === 0;

export const priorityOf = (pod: Pod): number => pod.spec.priority ?? 0;

/** How full a Node would be with the Pod on it, 0 to 1: the mean over what the Pod asks for. */
export function fullness(pod: Pod, state: NodeState): number {
  const shares = [...requestsOf(pod)].map(
    ([name, amount]) => ((state.taken.get(name) ?? 0) + amount) / (state.allocatable.get(name) || 1),
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
