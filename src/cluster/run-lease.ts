import type { Interval } from '../time/interval.ts';
import { isStatus, KubeError } from './errors.ts';
import type { GuardedClient } from './guard.ts';
import { OWNED_LABEL, RUN_LEASE } from './ownership.ts';

/** Seconds for which a renewal holds, and milliseconds between two: a run misses five before it counts as dead. */
const HOLDS_SECONDS = 60;
const RENEW_MS = 10_000;

/**
 * Says in a namespace of a run, by a Lease that is renewed, that the run is alive. The stamps are on the API server's clock, so
 * that a sweep from a machine with another clock is not misled.
 */
export class RunLease {
  readonly #client: GuardedClient;
  readonly #path: string;
  readonly #offset: Interval;
  readonly #timer: NodeJS.Timeout;

  private constructor(client: GuardedClient, path: string, offset: Interval) {
    this.#client = client;
    this.#path = path;
    this.#offset = offset;
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS);
    this.#timer.unref();
  }

  /** `offset`: how far the API server's clock is ahead of ours, in milliseconds. @throws KubeError where it is refused */
  static async start(client: GuardedClient, namespace: string, offset: Interval): Promise<RunLease> {
    const collection = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    const lease = new RunLease(client, `${collection}/${RUN_LEASE}`, offset);
    try {
      await client.create(collection, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: RUN_LEASE, namespace, labels: { [OWNED_LABEL]: client.run } },
        spec: { holderIdentity: client.run, leaseDurationSeconds: HOLDS_SECONDS, ...lease.#stamp('acquireTime') },
      });
    } catch (error) {
      lease.stop();
      throw error;
    }
    return lease;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    try {
      await this.#client.patch(this.#path, { spec: this.#stamp() });
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (isStatus(error, 404)) this.stop(); // the namespace is going; any other failure is tried again in a moment
    }
  }

  #stamp(...more: string[]): Record<string, string> {
    const at = `${new Date(Date.now() + this.#offset[0]).toISOString().slice(0, -1)}000Z`;
    return Object.fromEntries(['renewTime', ...more].map((name) => [name, at]));
  }
}
