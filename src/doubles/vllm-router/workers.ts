import http from 'node:http';
import type { KubeObject } from '../../cluster/rest.ts';
import type { WatchHandlers } from '../../cluster/watch.ts';
import type { Program } from '../program.ts';
import type { RouterOptions } from './options.ts';
import type { Worker } from './policy.ts';

interface Pod extends KubeObject {
  status?: { phase?: string; podIP?: string; conditions?: { type: string; status: string }[] };
}

/** Documented seconds after the deletion timestamp at which the fault drops a replica. */
const LATE_DROP = 8;
/** Documented seconds between two probes of a replica that does not answer yet. */
const PROBE_PERIOD = 1;

/**
 * The replicas that can be chosen, found by watching Pods. One enters once it is Running and Ready and its `/health`
 * answers; it leaves on its deletion timestamp, on losing a label of the selector, and on losing readiness, at once.
 */
export class Workers implements WatchHandlers<Pod> {
  /** By the UID of the Pod, in the order in which they entered. */
  readonly #entered = new Map<string, Worker>();
  /** Pods that may enter, by UID, with the timer or the probe that decides. */
  readonly #wanted = new Map<string, string>();
  readonly #leaving = new Set<string>();
  readonly #program: Program;
  readonly #options: RouterOptions;
  readonly #changed: (count: number) => void;

  constructor(program: Program, options: RouterOptions, changed: (count: number) => void) {
    this.#program = program;
    this.#options = options;
    this.#changed = changed;
  }

  get all(): Worker[] {
    return [...this.#entered.values()];
  }

  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', pod: Pod): void {
    const uid = pod.metadata.uid ?? pod.metadata.name;
    if (type === 'DELETED') {
      this.#leaving.delete(uid);
      return this.#leave(uid, 'is gone');
    }
    if (!this.#selected(pod)) return this.#leave(uid, 'left the selector');
    if (pod.metadata.deletionTimestamp !== undefined && this.#dropsLeaving(uid)) return this.#leave(uid, 'is leaving');
    if (!isReady(pod)) return this.#leave(uid, 'is not ready');
    const address = pod.status?.podIP;
    if (address) this.#want(uid, address);
  }

  #selected({ metadata: { labels = {} } }: Pod): boolean {
    return Object.entries(this.#options.selector).every(([key, value]) => labels[key] === value);
  }

  /** Whether a replica with a deletion timestamp is dropped now, which only a fault denies. */
  #dropsLeaving(uid: string): boolean {
    const { faults, scale } = this.#program;
    if (faults.has('router-keeps-leaving')) return false;
    if (!faults.has('router-drops-late')) return true;
    if (this.#leaving.has(uid)) return false;
    this.#leaving.add(uid);
    setTimeout(() => this.#leave(uid, 'is leaving'), scale.toMs(LATE_DROP));
    return false;
  }

  #leave(uid: string, why: string): void {
    this.#wanted.delete(uid);
    const worker = this.#entered.get(uid);
    if (!worker) return;
    this.#entered.delete(uid);
    this.#program.log(`INFO Removing worker ${worker.url}: its pod ${why}`);
    this.#changed(this.#entered.size);
  }

  #want(uid: string, address: string): void {
    if (this.#wanted.get(uid) === address || this.#entered.get(uid)?.address === address) return;
    this.#leave(uid, 'moved');
    this.#wanted.set(uid, address);
    this.#probe(uid, address);
  }

  #probe(uid: string, address: string): void {
    if (this.#wanted.get(uid) !== address) return;
    const port = this.#options.workerPort;
    const again = () => setTimeout(() => this.#probe(uid, address), this.#program.scale.toMs(PROBE_PERIOD));
    const request = http.get({ host: address, port, path: '/health', agent: false, localAddress: this.#program.podIP });
    request.on('error', again);
    request.on('response', (response) => {
      response.resume();
      response.on('error', () => undefined);
      if (this.#wanted.get(uid) !== address) return;
      if (response.statusCode !== 200) return void again();
      this.#wanted.delete(uid);
      const worker: Worker = { url: `http://${address}:${port}`, address, port, running: 0 };
      this.#entered.set(uid, worker);
      this.#program.log(`INFO Added worker ${worker.url}`);
      this.#changed(this.#entered.size);
    });
  }
}

const isReady = ({ status }: Pod): boolean =>
  status?.phase === 'Running' && (status.conditions ?? []).some((c) => c.type === 'Ready' && c.status === 'True');
