import { KubeError } from '../../cluster/errors.ts';
import type { KubeClient } from '../../cluster/rest.ts';
import { podPath, type Pod } from './pod.ts';
import type { PodStatus } from './pod-status.ts';
import { pause } from './stamps.ts';

/** Milliseconds of the wall until a write is tried again that found no server. */
const RETRY_MS = 100;

/**
 * Writes a Pod's status: one write at a time, each with the newest state, so that writes never overtake each other. The
 * patch is strategic, so that conditions of others stay, and carries the uid, so that a namesake is never written.
 */
export class StatusWriter {
  readonly #client: KubeClient;
  readonly #pod: Pod;
  readonly #build: () => PodStatus;
  readonly #over = new AbortController();
  #dirty = false;
  #scheduled = false;
  #writing: Promise<void> | undefined;
  #last = '';

  constructor(client: KubeClient, pod: Pod, build: () => PodStatus) {
    this.#client = client;
    this.#pod = pod;
    this.#build = build;
  }

  /** The state has changed; it is written after all changes of this turn of the event loop. */
  touch(): void {
    this.#dirty = true;
    if (this.#scheduled || this.#writing) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  /** Settles when the newest state is written, or the Pod is gone. */
  async flush(): Promise<void> {
    this.#dirty = true;
    this.#start();
    while (this.#writing) await this.#writing;
  }

  /** The Pod is gone: nothing is written any more. */
  stop(): void {
    this.#over.abort();
  }

  #start(): void {
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  async #write(): Promise<void> {
    while (this.#dirty && !this.#over.signal.aborted) {
      this.#dirty = false;
      const status = this.#build();
      const text = JSON.stringify(status);
      if (text === this.#last) continue;
      try {
        // A condition is merged with what is stored: what it no longer tells must be said to be gone.
        const conditions = status.conditions.map((condition) => ({ reason: null, message: null, ...condition }));
        // Addresses are merged too: a kubelet that was started anew gives the Pod another one.
        const podIPs = status.podIPs && [{ $patch: 'replace' }, ...status.podIPs];
        const body = { metadata: { uid: this.#pod.metadata.uid }, status: { ...status, podIPs, conditions } };
        await this.#client.patch(`${podPath(this.#pod)}/status`, body, 'strategic');
        this.#last = text;
      } catch (error) {
        const status = error instanceof KubeError ? error.status : 0;
        if (status === 404 || status === 409) return this.stop();
        this.#dirty = true;
        await pause(RETRY_MS, this.#over.signal);
      }
    }
  }
}
