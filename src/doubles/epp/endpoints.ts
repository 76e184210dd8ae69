import type { Program } from '../program.ts';
import type { Members } from '../router/membership.ts';
import type { Pod } from '../router/pods.ts';

/** One listener of a replica. */
export interface Endpoint {
  /** `namespace/pod-rank-N`. */
  id: string;
  pod: string;
  /** Value of the Pod's component label; empty where it has none. */
  role: string;
  labels: Record<string, string>;
  address: string;
  port: number;
  /** Requests that it is answering through this router. */
  running: number;
}

export const keyOf = ({ id, address, port }: Endpoint): string => `${id}|${address}|${port}`;

/** The endpoints that the picker knows: they come and go with their Pods, at once, and are frozen while it drains. */
export class Endpoints implements Members {
  readonly #program: Program;
  readonly #ports: readonly number[];
  readonly #changed: () => void;
  readonly #byPod = new Map<string, Endpoint[]>();
  /** Endpoints whose Pods lost a label and are still there: none but a fault looks at them. */
  readonly #withdrawn = new Map<string, Endpoint[]>();
  revision = 1;
  frozen = false;

  constructor(program: Program, ports: readonly number[], changed: () => void) {
    this.#program = program;
    this.#ports = ports;
    this.#changed = changed;
  }

  get all(): Endpoint[] {
    return [...this.#byPod.values()].flat();
  }

  get choosable(): Endpoint[] {
    return this.#with('router-keeps-withdrawn');
  }

  get listed(): Endpoint[] {
    return this.#with('observer-lists-withdrawn');
  }

  #with(fault: string): Endpoint[] {
    return this.#program.faults.has(fault) ? [...this.all, ...[...this.#withdrawn.values()].flat()] : this.all;
  }

  join(uid: string, { metadata, status }: Pod): void {
    const { name, namespace = '', labels = {} } = metadata;
    const address = status?.podIP;
    const role = labels['app.kubernetes.io/component'] ?? '';
    const known = this.#byPod.get(uid);
    if (!address || this.frozen || known?.every((e) => e.address === address && e.role === role)) return;
    const endpoints = this.#ports.map((port, rank) => ({
      ...{ id: `${namespace}/${name}-rank-${rank}`, pod: name, role, labels, address, port },
      running: known?.[rank]?.running ?? 0,
    }));
    this.#byPod.set(uid, endpoints);
    this.#withdrawn.delete(uid);
    this.#tell(`endpoint added: ${name} ${address}`);
  }

  part(uid: string, why: string): void {
    this.#withdrawn.delete(uid);
    this.#leave(uid, why);
  }

  withdraw(uid: string): void {
    const endpoints = this.#byPod.get(uid);
    if (endpoints) this.#withdrawn.set(uid, endpoints);
    this.#leave(uid, 'left the selector');
  }

  #leave(uid: string, why: string): void {
    const endpoints = this.#byPod.get(uid);
    if (!endpoints || this.frozen) return;
    this.#byPod.delete(uid);
    this.#tell(`endpoint removed: ${endpoints[0]?.pod ?? ''} ${why}`);
  }

  #tell(line: string): void {
    this.revision += 1;
    this.#program.log(`INFO ${line}`);
    this.#changed();
  }
}
