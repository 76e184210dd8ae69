import type { Program } from '../program.ts';
import { Breaker } from './breaker.ts';
import { watchHealth } from './health.ts';
import type { RouterOptions } from './options.ts';
import type { Members } from './membership.ts';
import type { Pod } from './pods.ts';
import { askStatus } from './probe.ts';
import type { Worker } from './worker.ts';

/** Documented seconds between two probes of a replica that does not answer yet. */
const PROBE_PERIOD = 1;
const NEVER = Number.POSITIVE_INFINITY;

/** A worker in the registry, and what watches its health. */
interface Entry {
  worker: Worker;
  health: { stop(): void };
}

/** The replicas that a router has registered: one enters once its `/health` answers, and leaves at once. */
export class Workers implements Members {
  /** By the UID of the Pod, in the order in which they entered. */
  readonly #entered = new Map<string, Entry>();
  /** Pods that may enter, by UID, with the address that is being probed. */
  readonly #wanted = new Map<string, string>();
  /** Workers whose Pods lost a label and are still there: none but a fault looks at them. */
  readonly #withdrawn = new Map<string, Worker>();
  readonly #program: Program;
  readonly #options: RouterOptions;
  readonly #changed: (count: number) => void;

  constructor(program: Program, options: RouterOptions, changed: (count: number) => void) {
    this.#program = program;
    this.#options = options;
    this.#changed = changed;
  }

  get all(): Worker[] {
    return [...this.#entered.values()].map(({ worker }) => worker);
  }

  /** Whom a request may be sent to, healthy or not. */
  get choosable(): Worker[] {
    return this.#program.faults.has('router-keeps-withdrawn') ? [...this.all, ...this.#withdrawn.values()] : this.all;
  }

  /** What the view of the endpoints has. */
  get listed(): Worker[] {
    return this.#program.faults.has('observer-lists-withdrawn') ? [...this.all, ...this.#withdrawn.values()] : this.all;
  }

  join(uid: string, { status }: Pod): void {
    const address = status?.podIP;
    if (address) this.#want(uid, address);
  }

  part(uid: string, why: string): void {
    this.#withdrawn.delete(uid);
    this.#leave(uid, why);
  }

  withdraw(uid: string): void {
    const entry = this.#entered.get(uid);
    if (entry) this.#withdrawn.set(uid, entry.worker);
    this.#leave(uid, 'left the selector');
  }

  #leave(uid: string, why: string): void {
    this.#wanted.delete(uid);
    const entry = this.#entered.get(uid);
    if (!entry) return;
    entry.health.stop();
    this.#entered.delete(uid);
    this.#program.log(`INFO Removing worker ${entry.worker.url}: its pod ${why}`);
    this.#changed(this.#entered.size);
  }

  #want(uid: string, address: string): void {
    if (this.#wanted.get(uid) === address || this.#entered.get(uid)?.worker.address === address) return;
    this.#leave(uid, 'moved');
    this.#wanted.set(uid, address);
    void this.#probe(uid, address);
  }

  async #probe(uid: string, address: string): Promise<void> {
    const { health, workerPort: port } = this.#options;
    const { scale, podIP: from } = this.#program;
    const status = await askStatus({ host: address, port, path: health.path, from }, scale.toMs(health.timeout));
    if (this.#wanted.get(uid) !== address) return;
    if (status === 200) return this.#enter(uid, address, port);
    setTimeout(() => this.#wanted.get(uid) === address && void this.#probe(uid, address), scale.toMs(PROBE_PERIOD));
  }

  #enter(uid: string, address: string, port: number): void {
    const { breaker = { failures: NEVER, successes: 1, open: 0 }, health } = this.#options;
    const worker: Worker = {
      id: crypto.randomUUID(),
      url: `http://${address}:${port}`,
      address,
      port,
      running: 0,
      healthy: true,
      breaker: new Breaker(breaker, this.#program.scale),
    };
    this.#wanted.delete(uid);
    this.#withdrawn.delete(uid);
    this.#entered.set(uid, { worker, health: watchHealth(this.#program, health, worker) });
    this.#program.log(`INFO Added worker ${worker.url}`);
    this.#changed(this.#entered.size);
  }
}
