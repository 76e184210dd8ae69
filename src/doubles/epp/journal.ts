import { observer, type ObservedWorker } from '../../routers/observer.ts';
import type { Program } from '../program.ts';
import type { View } from '../router/observer.ts';
import { type Endpoint, type Endpoints, keyOf } from './endpoints.ts';

/** The time between the first look at the endpoints for a request and the moment when the choice has been sent off. */
export interface Window {
  record(endpoint: Endpoint): void;
  finish(): void;
}

/**
 * What was sent where lately, and the view of the endpoints that includes it: while a choice is under way there is no view,
 * and for {@link observer.freshness} seconds after it was sent its target is listed, gone from selection or not.
 */
export class Journal {
  readonly #program: Program;
  readonly #endpoints: Endpoints;
  /** Of the start of the process, in nanoseconds, as the program has it. */
  readonly #boot = BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  readonly #recent = new Map<string, { endpoint: Endpoint; at: number }>();
  readonly #seen = new Map<string, Endpoint>();
  #pending = 0;
  #epoch = 0;
  /** Why there is no view at all; undefined once there can be one. */
  refusal: string | undefined = 'endpoint pool is not fully synchronized';

  constructor(program: Program, endpoints: Endpoints) {
    this.#program = program;
    this.#endpoints = endpoints;
  }

  begin(): Window {
    this.#pending += 1;
    this.#epoch += 1;
    const targets = new Map<string, Endpoint>();
    let over = false;
    return {
      record: (endpoint) => void targets.set(keyOf(endpoint), { ...endpoint }),
      finish: () => {
        if (over) return;
        over = true;
        const at = performance.now();
        if (this.#program.faults.has('llm-d-survivor-holds') && targets.size > 0) {
          for (const [key, endpoint] of this.#seen) targets.set(key, endpoint);
        }
        for (const [key, endpoint] of targets) {
          this.#seen.set(key, endpoint);
          this.#recent.set(key, { endpoint, at });
        }
        this.#pending -= 1;
        this.#epoch += 1;
      },
    };
  }

  view(): View {
    if (this.refusal !== undefined) return this.refusal;
    if (this.#pending > 0) return 'native endpoint selection or send is pending';
    const rows = new Map<string, ObservedWorker>();
    for (const endpoint of this.#endpoints.listed) {
      if (!endpoint.role) return 'endpoint identity or listener is incomplete';
      this.#seen.set(keyOf(endpoint), endpoint);
      rows.set(keyOf(endpoint), row(endpoint, true));
    }
    for (const [key, endpoint] of this.#recentOnes()) {
      const listed = rows.get(key) ?? row(endpoint, this.#program.faults.has('llm-d-recent-in-selection'));
      rows.set(key, { ...listed, last_job: { recent_dispatch: true } });
    }
    const workers = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, worker]) => worker);
    return { boot: this.#boot, revision: this.#endpoints.revision + this.#epoch, workers };
  }

  /** Dispatches that are recent; reading them forgets none. */
  #recentOnes(): [string, Endpoint][] {
    if (this.#program.faults.has('llm-d-forgets-dispatch')) return [];
    const life = this.#program.scale.toMs(observer.freshness);
    const now = performance.now();
    return [...this.#recent].filter(([, { at }]) => now - at < life).map(([key, { endpoint }]) => [key, endpoint]);
  }
}

const row = ({ id, pod, role, address, port }: Endpoint, registered: boolean): ObservedWorker => ({
  ...{ url: `http://${address}:${port}`, port: String(port), role, pod_hint: pod, worker_id: id },
  selection: { registered, healthy: registered, circuit_open: false, in_selection: registered },
});
