import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seconds } from '../../time/scale.ts';
import { Container, type Role } from './container.ts';
import type { KubeletContext, PodContext } from './context.ts';
import { finalDelete } from './final-delete.ts';
import { podName, specGrace, type ContainerSpec, type Pod } from './pod.ts';
import { podContext } from './pod-context.ts';
import { StatusBuilder, type Stage } from './pod-status.ts';
import { pause } from './stamps.ts';
import { StatusWriter } from './status-writer.ts';
import { makeVolume } from './volumes.ts';

/** Documented seconds between two tries to make a Pod's volumes. */
const MOUNT_RETRY: Seconds = 2;
/**
 * Documented seconds from the terminal phase to the last delete, in which a kubelet clears away the Pod: measured 0.2 to
 * 0.8 s, so that watchers see the endpoint gone before the object.
 */
const CLEAR_AWAY: Seconds = 0.5;

/** The life of one Pod on a Node, from its binding to the last delete of its object. */
export class PodWorker {
  readonly containers: Container[];
  /** Settles when the object is gone, no process of the Pod is left, and its folder is removed. */
  readonly done: Promise<void>;
  readonly #folder: string;
  readonly #context: PodContext;
  readonly #volumes = new Map<string, string>();
  readonly #writer: StatusWriter;
  readonly #stage: Stage = { prepared: false, initialized: false };
  /** The Pod begins to end. */
  readonly #leaving = new AbortController();
  /** The Pod's object is gone. */
  readonly #gone = new AbortController();
  #pod: Pod;
  #grace: Seconds | undefined;
  #settleDeleted!: () => void;
  /** The Pod's object has been deleted, or is gone. */
  readonly #deleted = new Promise<void>((resolve) => (this.#settleDeleted = resolve));

  /** Nothing starts before `before` has settled. */
  constructor(shared: KubeletContext, pod: Pod, hostIP: string, before: Promise<void>) {
    this.#pod = pod;
    this.#folder = join(shared.folder, 'pods', pod.metadata.uid ?? podName(pod).replace('/', '_'));
    const place = { hostIP, podIP: pod.spec.hostNetwork ? hostIP : shared.addresses.take() };
    this.#context = podContext({
      shared,
      place,
      pod: () => this.#pod,
      volumes: this.#volumes,
      changed: () => this.#writer.touch(),
    });
    const status = new StatusBuilder();
    this.#writer = new StatusWriter(shared.client, pod, () =>
      status.build(this.#pod, place, this.containers, this.#stage),
    );
    const make = (spec: ContainerSpec, role: Role) =>
      new Container(this.#context, spec, role, join(this.#folder, 'containers', spec.name));
    this.containers = [
      ...(pod.spec.initContainers ?? []).map((spec) =>
        make(spec, spec.restartPolicy === 'Always' ? 'sidecar' : 'init'),
      ),
      ...pod.spec.containers.map((spec) => make(spec, 'main')),
    ];
    if (pod.spec.initContainers?.length) for (const { record } of this.containers) record.waiting('PodInitializing');
    this.done = this.#live(before);
    this.update(pod);
  }

  /** The Pod's object as it is now. The first sight of a deletion begins the end. */
  update(pod: Pod): void {
    const moved = this.#pod.metadata.generation !== pod.metadata.generation;
    const gates = this.#pod.spec.readinessGates !== undefined && this.#pod !== pod;
    this.#pod = pod;
    if (gates || moved) this.#writer.touch();
    if (pod.metadata.deletionTimestamp === undefined) return;
    const grace = Math.max(1, pod.metadata.deletionGracePeriodSeconds ?? specGrace(pod));
    this.#settleDeleted();
    if (this.#grace === undefined) this.#leave(grace);
    else if (grace < this.#grace) {
      this.#grace = grace;
      for (const container of this.containers) container.shorten(grace);
    }
  }

  /** The Pod's object is gone: what still runs is killed at once. */
  gone(): void {
    this.#writer.stop();
    this.#gone.abort();
    this.#leaving.abort();
    this.#grace ??= 0;
    this.#settleDeleted();
    for (const container of this.containers) container.kill();
  }

  #of(role: Role): Container[] {
    return this.containers.filter((c) => c.role === role);
  }

  async #live(before: Promise<void>): Promise<void> {
    const { shared, place } = this.#context;
    await before;
    if (await this.#prepare()) await this.#runToDeadline();
    // The Pod's own work is over, by itself or by its delete: what is left, such as sidecars, ends now.
    if (this.#grace === undefined) this.#leave(specGrace(this.#pod));
    await Promise.all(this.containers.map((c) => c.over));
    for (const { record } of this.containers) record.release();
    // A Pod that never came to its own work shows its containers before its end.
    const initialized = this.#stage.initialized || this.#of('main').length === this.containers.length;
    if (!initialized) await this.#writer.flush();
    if (this.#pod.metadata.deletionTimestamp !== undefined && initialized)
      for (const { record } of this.containers) record.settle();
    const failed = this.#stage.why !== undefined || this.#of('main').some(({ record }) => record.end?.exitCode !== 0);
    this.#stage.phase = failed ? 'Failed' : 'Succeeded';
    await this.#writer.flush();
    await this.#deleted;
    if (!this.#gone.signal.aborted && (await pause(shared.scale.toMs(CLEAR_AWAY), this.#gone.signal))) {
      await finalDelete(shared.client, this.#pod, this.#gone.signal);
      await new Promise<void>((resolve) => {
        if (this.#gone.signal.aborted) resolve();
        else this.#gone.signal.addEventListener('abort', () => resolve());
      });
    }
    if (!this.#pod.spec.hostNetwork) shared.addresses.release(place.podIP);
    await rm(this.#folder, { recursive: true, force: true }).catch(() => {});
  }

  async #prepare(): Promise<boolean> {
    this.#writer.touch();
    const { shared, place } = this.#context;
    // What no container mounts is not made.
    const mounted = new Set(this.containers.flatMap(({ spec }) => (spec.volumeMounts ?? []).map(({ name }) => name)));
    const volumes = (this.#pod.spec.volumes ?? []).filter(({ name }) => mounted.has(name));
    const folder = join(this.#folder, 'volumes');
    for (;;) {
      let at = '';
      try {
        await mkdir(folder, { recursive: true });
        for (const volume of volumes) {
          at = volume.name;
          this.#volumes.set(at, await makeVolume(volume, { pod: this.#pod, place, sources: shared.sources, folder }));
        }
        break;
      } catch (error) {
        const message = `MountVolume.SetUp failed for volume "${at}" : ${(error as Error).message}`;
        void shared.events.record(this.#pod, { type: 'Warning', reason: 'FailedMount', message });
      }
      if (!(await pause(shared.scale.toMs(MOUNT_RETRY), this.#leaving.signal))) return false;
    }
    this.#stage.prepared = true;
    return !this.#leaving.signal.aborted;
  }

  /** Runs all, at most for the Pod's `activeDeadlineSeconds`. */
  async #runToDeadline(): Promise<void> {
    const { activeDeadlineSeconds: deadline } = this.#pod.spec;
    const done = this.#runAll();
    if (deadline === undefined) return done;
    const { scale, events } = this.#context.shared;
    const over = new AbortController();
    const late = pause(scale.toMs(deadline), AbortSignal.any([over.signal, this.#leaving.signal]));
    const ranOut = await Promise.race([late, done.then(() => false)]);
    over.abort();
    if (!ranOut) return done;
    const message = 'Pod was active on the node longer than the specified deadline';
    const reason = 'DeadlineExceeded';
    this.#stage.why = { reason, message };
    void events.record(this.#pod, { type: 'Normal', reason, message });
  }

  /** Runs the init containers in order, then the Pod's own work to its end. */
  async #runAll(): Promise<void> {
    for (const container of this.containers.filter((c) => c.role !== 'main')) {
      void container.run();
      await Promise.race([container.over, ...(container.role === 'sidecar' ? [container.record.onceStarted] : [])]);
      if (this.#leaving.signal.aborted) return;
      if (container.role === 'init' && container.record.end?.exitCode !== 0) return;
    }
    this.#stage.initialized = true;
    this.#writer.touch();
    const mains = this.#of('main');
    for (const container of mains) {
      if (this.#leaving.signal.aborted) return;
      void container.run();
      await container.launched;
    }
    await Promise.all(mains.map((c) => c.over));
  }

  /** All containers end side by side; a sidecar's SIGTERM waits for what started after it. */
  #leave(grace: Seconds): void {
    this.#grace = grace;
    const { log } = this.#context.shared;
    log.info(this.#pod.spec.nodeName ?? '', 'SyncLoop (kill pod)', { pod: podName(this.#pod), gracePeriod: grace });
    this.#leaving.abort();
    for (const { record } of this.containers) record.hold();
    let turn = Promise.all(this.#of('main').map((c) => c.over)).then(() => {});
    for (const container of [...this.containers].reverse()) {
      void container.stop(grace, container.role === 'sidecar' ? turn : undefined);
      if (container.role === 'sidecar') turn = Promise.all([turn, container.over]).then(() => {});
    }
  }
}
