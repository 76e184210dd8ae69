import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seconds } from '../../time/scale.ts';
import { ContainerRecord } from './container-record.ts';
import { ContainerRun } from './container-run.ts';
import type { PodContext } from './context.ts';
import { CrashLoop } from './crash-loop.ts';
import type { HostProcess } from './host-process.ts';
import { awaitImage } from './image.ts';
import { lastWords } from './last-words.ts';
import { LogBuffer } from './log-buffer.ts';
import type { ContainerSpec } from './pod.ts';
import { makeRoot } from './root-folder.ts';
import { Sandbox } from './sandbox.ts';
import { pause } from './stamps.ts';

/** What a container is to its Pod: a step before the start, a companion, or the Pod's own work. */
export type Role = 'init' | 'sidecar' | 'main';

/** Documented seconds between two tries to make a container whose configuration is incomplete. */
const CONFIG_RETRY: Seconds = 10;

/** One container of a Pod, from its first start over all restarts to its last end. */
export class Container {
  readonly spec: ContainerSpec;
  readonly role: Role;
  readonly record: ContainerRecord;
  /** Settles when nothing will run any more. */
  readonly over: Promise<void>;
  /** Settles when the first run is under way, postStart included, or there will be none. */
  readonly launched: Promise<void>;
  readonly #context: PodContext;
  readonly #root: string;
  readonly #logs: string;
  readonly #stop = new AbortController();
  readonly #crashes = new CrashLoop();
  #run: ContainerRun | undefined;
  /** What to do with a process that starts in the instant in which the container is stopped. */
  #lateEnd: ((run: ContainerRun) => void) | undefined;
  #begun = false;
  #settleOver!: () => void;
  #settleLaunched!: () => void;
  log: LogBuffer | undefined;
  previousLog: LogBuffer | undefined;

  constructor(context: PodContext, spec: ContainerSpec, role: Role, folder: string) {
    this.#context = context;
    this.spec = spec;
    this.role = role;
    this.#root = join(folder, 'root');
    this.#logs = join(folder, 'logs');
    this.over = new Promise((resolve) => (this.#settleOver = resolve));
    this.launched = new Promise((resolve) => (this.#settleLaunched = resolve));
    this.record = new ContainerRecord(spec, () => context.changed());
  }

  /** The place in which further programs can run, while the container does. */
  get sandbox(): Sandbox | undefined {
    return this.#run?.sandbox;
  }

  /** Runs and restarts the container until its Pod's policy wants no more. */
  async run(): Promise<void> {
    this.#begun = true;
    while (!this.#stopping) {
      const ran = await this.#once();
      if (ran === undefined || this.#stopping || !this.#wanted() || !(await this.#backOff(ran))) break;
      this.record.restarts += 1;
    }
    this.#settle();
  }

  /** Ends the container for good: hook, `turn` of a sidecar, SIGTERM and SIGKILL share `grace` documented seconds. */
  async stop(grace: Seconds, turn?: Promise<unknown>): Promise<void> {
    this.#halt((run) => run.end(grace, `Stopping container ${this.spec.name}`, turn));
    await this.over;
  }

  /** A later delete with a shorter grace. */
  shorten(grace: Seconds): void {
    this.#run?.shorten(grace);
  }

  /** The Pod's object is gone: nobody waits for anything. */
  kill(): void {
    this.#halt((run) => run.kill());
  }

  get #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  #halt(end: (run: ContainerRun) => void): void {
    this.#lateEnd = end;
    this.#stop.abort();
    if (!this.#begun) this.#settle();
    if (this.#run) end(this.#run);
  }

  #settle(): void {
    this.#settleLaunched();
    this.#settleOver();
  }

  /** Whether the policy wants another run after the last end. */
  #wanted(): boolean {
    const policy = this.role === 'sidecar' ? 'Always' : (this.#context.pod().spec.restartPolicy ?? 'Always');
    const failed = this.record.end?.exitCode !== 0;
    if (policy === 'Never') return false;
    return policy === 'OnFailure' || this.role === 'init' ? failed : true;
  }

  /** One run; answers how many documented seconds it took, undefined where the container was stopped before it began. */
  async #once(): Promise<Seconds | undefined> {
    const sandbox = await this.#prepare();
    if (!sandbox) return undefined;
    this.previousLog = this.log ?? this.previousLog;
    const log = (this.log = new LogBuffer(join(this.#logs, `${this.record.restarts}.log`)));
    let process: HostProcess;
    try {
      process = await sandbox.start((stream, chunk) => log.push(stream, chunk));
    } catch (error) {
      log.end();
      this.#refused(error as Error);
      return 0;
    }
    const { spec, record } = this;
    const run = new ContainerRun({
      context: this.#context,
      spec,
      record,
      process,
      sandbox,
      stopping: this.#stop.signal,
    });
    this.#run = run;
    record.running();
    this.#say('Normal', 'Started', `Started container ${spec.name}`);
    this.#lateEnd?.(run);
    void run.begin().then(this.#settleLaunched);

    const { code, at } = await run.ended();
    log.end();
    const words = await lastWords(spec, this.#root, log, code);
    this.#run = undefined;
    record.ended(code, words);
    return this.#context.shared.scale.toSeconds(at - process.spawnedAt);
  }

  /** Waits until all that the container needs is there; undefined where it was stopped first. */
  async #prepare(): Promise<Sandbox | undefined> {
    const { signal } = this.#stop;
    if (!(await awaitImage(this.#context, this.spec, (...why) => this.record.waiting(...why), signal)))
      return undefined;
    for (;;) {
      try {
        await makeRoot(this.#root, this.spec, this.#context.volumes);
        await mkdir(this.#logs, { recursive: true });
        const sandbox = await Sandbox.make(this.#context, this.spec, this.#root);
        this.#say('Normal', 'Created', `Created container: ${this.spec.name}`);
        return this.#stopping ? undefined : sandbox;
      } catch (error) {
        const { message } = error as Error;
        this.record.waiting('CreateContainerConfigError', message);
        this.#say('Warning', 'Failed', `Error: ${message}`);
      }
      if (!(await pause(this.#context.shared.scale.toMs(CONFIG_RETRY), signal))) return undefined;
    }
  }

  #refused({ message: problem }: Error): void {
    const message = `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: ${problem}`;
    this.record.refused(message);
    this.#say('Warning', 'Failed', `Error: ${message}`);
    if (this.#wanted()) this.record.waiting('RunContainerError', message);
    this.#settleLaunched();
  }

  /** Waits out the back-off after a run of `ran` documented seconds; false where the container was stopped meanwhile. */
  async #backOff(ran: Seconds): Promise<boolean> {
    const { scale } = this.#context.shared;
    const { signal } = this.#stop;
    const { after, waiting } = this.#crashes.next(ran);
    if (!waiting) return pause(scale.toMs(after), signal);
    if (!(await pause(scale.toMs(waiting.after), signal))) return false;
    const { name, namespace, uid } = this.#context.pod().metadata;
    const pod = `${name}_${namespace}(${uid})`;
    this.record.waiting(
      'CrashLoopBackOff',
      `back-off ${waiting.backOff}s restarting failed container=${this.spec.name} pod=${pod}`,
    );
    this.#say('Warning', 'BackOff', `Back-off restarting failed container ${this.spec.name} in pod ${pod}`);
    return pause(scale.toMs(after - waiting.after), signal);
  }

  #say(type: 'Normal' | 'Warning', reason: string, message: string): void {
    void this.#context.event(type, reason, message, this.spec);
  }
}
