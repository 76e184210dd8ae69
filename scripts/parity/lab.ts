import type { KubeClient } from '../../src/cluster/rest.ts';
import type { TimeScale } from '../../src/time/scale.ts';
import type { Answered, Recall } from '../../suites/parity/experiment.ts';
import type { Trace } from './trace.ts';

/** A cluster that experiments run on. */
export interface Cluster {
  name: 'embedded' | 'real';
  client: KubeClient;
  /** What `{image}` stands for. */
  image: string;
  /** Name of the Node that runs Pods: what `{node}` stands for. */
  node: string;
  scale: TimeScale;
  /** `gitVersion` of its API server. */
  version: string;
  stop(): Promise<void>;
}

/** What one experiment has on one cluster: its namespace, what its steps answered, and when. */
export class Lab {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly traces = new Map<string, Trace>();
  readonly #answers = new Map<string, unknown>();
  readonly #ends = new Map<string, number>();

  constructor(cluster: Cluster, namespace: string) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  readonly recall: Recall = (label) => {
    const answer = this.#answers.get(label);
    if (answer === undefined) {
      throw new Error(`no step "${label}" has answered; those that have: ${[...this.#answers.keys()].join(', ')}`);
    }
    return answer as Answered;
  };

  remember(label: string, answer: unknown): void {
    this.#answers.set(label, answer);
    this.#ends.set(label, performance.now());
  }

  /** Documented seconds between the ends of two steps. */
  between(from: string, to: string): number {
    const at = (label: string) => {
      const end = this.#ends.get(label);
      if (end === undefined) throw new Error(`no step "${label}" has ended`);
      return end;
    };
    return this.cluster.scale.toSeconds(at(to) - at(from));
  }

  /** Fills in `{ns}`, `{image}` and `{node}`. */
  fill<T>(value: T): T {
    if (value === undefined) return value;
    const text = JSON.stringify(value)
      .replaceAll('{ns}', this.namespace)
      .replaceAll('{image}', this.cluster.image)
      .replaceAll('{node}', this.cluster.node);
    return JSON.parse(text) as T;
  }

  /** The path on the server of `pods/a`, `apps/v1:deployments/a`, or of a path that begins with `/`. */
  path(short: string): string {
    const filled = short.replaceAll('{ns}', this.namespace).replaceAll('{node}', this.cluster.node);
    if (filled.startsWith('/')) return filled;
    const at = filled.indexOf(':');
    const [group, rest] =
      at > 0 && !filled.slice(0, at).includes('?') ? [filled.slice(0, at), filled.slice(at + 1)] : ['', filled];
    return `${group ? `/apis/${group}` : '/api/v1'}/namespaces/${this.namespace}/${rest}`;
  }

  close(): void {
    for (const trace of this.traces.values()) trace.stop();
  }
}
