import { randomBytes } from 'node:crypto';
import type { ContainerSpec, ContainerState, ContainerStatus, Terminated } from './pod.ts';
import { apiTime } from './stamps.ts';

/** What a Pod's status tells of one container, and the steps that it can take. */
export class ContainerRecord {
  readonly #spec: ContainerSpec;
  readonly #changed: () => void;
  #state: ContainerState = { waiting: { reason: 'ContainerCreating' } };
  #last: Terminated | undefined;
  #id: string | undefined;
  #startedAt: string | null = null;
  #ready = false;
  #started = false;
  /** What the Pod's status shows instead, while it is held. */
  #held: { state: ContainerState; ready: boolean; started: boolean } | undefined;
  #settleStarted!: () => void;
  /** Settles when the container has started for the first time, its startup probe included. */
  readonly onceStarted: Promise<void> = new Promise((resolve) => (this.#settleStarted = resolve));
  restarts = 0;

  constructor(spec: ContainerSpec, changed: () => void) {
    this.#spec = spec;
    this.#changed = changed;
  }

  get state(): ContainerState {
    return this.#state;
  }

  /** The end that the container stands at, or the one before its present state. */
  get end(): Terminated | undefined {
    return 'terminated' in this.#state ? this.#state.terminated : this.#last;
  }

  get ready(): boolean {
    return this.#ready;
  }

  get started(): boolean {
    return this.#started;
  }

  /** The Pod begins to end: its status tells of the ends of its containers all at once, when the last one is over. */
  hold(): void {
    this.#held = { state: this.#state, ready: this.#ready, started: this.#started };
  }

  release(): void {
    this.#held = undefined;
    this.#changed();
  }

  waiting(reason: string, message?: string): void {
    this.#leave({ waiting: { reason, ...(message === undefined ? {} : { message }) } });
  }

  running(): void {
    this.#id = `process://${randomBytes(32).toString('hex')}`;
    this.#startedAt = apiTime();
    this.#leave({ running: { startedAt: this.#startedAt } });
  }

  /** The end of a run; `message` are its last words. */
  ended(exitCode: number, message?: string): void {
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    this.#terminate({ exitCode, reason, startedAt: this.#startedAt ?? apiTime() }, message);
  }

  /** A run that could not begin: a real runtime answers 128 and the epoch as its start. */
  refused(message: string): void {
    this.#id = `process://${randomBytes(32).toString('hex')}`;
    this.#terminate({ exitCode: 128, reason: 'StartError', startedAt: '1970-01-01T00:00:00Z' }, message);
  }

  /** The Pod has ended: what waits will not run again, and what never ran is told as a kubelet tells it. */
  settle(): void {
    if (!('waiting' in this.#state)) return;
    if (this.#last) return this.#leave({ terminated: this.#last });
    const message = 'The container could not be located when the pod was terminated';
    this.#terminate({ exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: null }, message);
  }

  setReady(ready: boolean): void {
    if (this.#ready === ready || !('running' in this.#state)) return;
    this.#ready = ready;
    if (this.#held) this.#held.ready = ready;
    this.#changed();
  }

  setStarted(): void {
    this.#started = true;
    this.#settleStarted();
    this.#changed();
  }

  status(): ContainerStatus {
    const mounts = (this.#spec.volumeMounts ?? []).map(({ name, mountPath }) => ({ name, mountPath }));
    const shown = this.#held ?? { state: this.#state, ready: this.#ready, started: this.#started };
    return {
      name: this.#spec.name,
      image: this.#spec.image,
      imageID: this.#id === undefined ? '' : `process-image://${this.#spec.image}`,
      ...(this.#id === undefined ? {} : { containerID: this.#id }),
      state: shown.state,
      lastState: this.#last === undefined ? {} : { terminated: this.#last },
      ready: shown.ready,
      started: shown.started,
      restartCount: this.restarts,
      ...(mounts.length > 0 ? { volumeMounts: mounts } : {}),
      ...(this.#id === undefined ? {} : { resources: this.#spec.resources ?? {} }),
    };
  }

  #terminate(end: Pick<Terminated, 'exitCode' | 'reason' | 'startedAt'>, message: string | undefined): void {
    this.#ready = false;
    this.#started = false;
    this.#leave({
      terminated: {
        ...end,
        ...(message === undefined || message === '' ? {} : { message }),
        finishedAt: apiTime(),
        ...(this.#id === undefined ? {} : { containerID: this.#id }),
      },
    });
  }

  #leave(next: ContainerState): void {
    if ('terminated' in this.#state) this.#last = this.#state.terminated;
    this.#state = next;
    this.#changed();
  }
}
