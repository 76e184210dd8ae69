import type { Seconds } from '../../time/scale.ts';
import { killAll } from '../reaper/kill.ts';
import { markedProcesses } from '../reaper/proc.ts';
import { probeContainer } from './container-probes.ts';
import type { ContainerRecord } from './container-record.ts';
import type { PodContext } from './context.ts';
import { Ending } from './ending.ts';
import { runHandler } from './handler.ts';
import type { Exit, HostProcess } from './host-process.ts';
import { specGrace, type ContainerSpec } from './pod.ts';
import type { Sandbox } from './sandbox.ts';

export interface ContainerRunOptions {
  context: PodContext;
  spec: ContainerSpec;
  record: ContainerRecord;
  process: HostProcess;
  sandbox: Sandbox;
  /** The container is being stopped: startup and liveness probes end. */
  stopping: AbortSignal;
}

/** One run of a container: its process with the hooks and probes around it. */
export class ContainerRun {
  readonly sandbox: Sandbox;
  readonly #options: ContainerRunOptions;
  readonly #over = new AbortController();
  #ending: Ending | undefined;

  constructor(options: ContainerRunOptions) {
    this.#options = options;
    this.sandbox = options.sandbox;
    const { context, spec, process } = options;
    context.log('Container process started', spec, { pid: process.pid });
    void process.alive.then((ms) => context.log('Container process alive', spec, { afterMs: Math.round(ms) }));
  }

  /** Runs postStart and begins to probe; settles when postStart has returned. */
  async begin(): Promise<void> {
    const { context, spec, record, stopping } = this.#options;
    const hook = spec.lifecycle?.postStart;
    const problem = hook && (await runHandler(hook, this.#handlerContext()));
    if (this.#over.signal.aborted) return;
    if (problem !== undefined) {
      void context.event('Warning', 'FailedPostStartHook', 'PostStartHook failed', spec);
      context.log('PostStartHook failed', spec, { err: problem });
      this.end(specGrace(context.pod()), 'FailedPostStartHook');
      return;
    }
    probeContainer({
      context,
      spec,
      record,
      sandbox: this.sandbox,
      over: this.#over.signal,
      stopping,
      unhealthy: (kind, probe) => {
        const grace = probe.terminationGracePeriodSeconds ?? specGrace(context.pod());
        this.end(grace, `Container ${spec.name} failed ${kind} probe, will be restarted`);
      },
    });
  }

  /** Settles with the end of the process; whatever ran beside it is killed. */
  async ended(): Promise<Exit> {
    const { context, spec, process } = this.#options;
    const exit = await process.exited;
    this.#over.abort();
    this.sandbox.end();
    context.log('Container process exited', spec, { exitCode: exit.code });
    if (exit.escaped)
      await killAll(async () => (await markedProcesses()).filter(({ root }) => root === this.sandbox.root));
    return exit;
  }

  /** Begins to end the process, or shortens the grace of an end that has begun. */
  end(grace: Seconds, message: string, turn?: Promise<unknown>): void {
    if (this.#over.signal.aborted) return;
    if (this.#ending) return this.#ending.shorten(grace);
    const { context, spec, process } = this.#options;
    const hook = spec.lifecycle?.preStop;
    const alive = (ms: number) => context.log('PreStop hook process alive', spec, { afterMs: Math.round(ms) });
    this.#ending = new Ending({
      scale: context.shared.scale,
      grace,
      process,
      announced: context.event('Normal', 'Killing', message, spec),
      hook: hook && (() => runHandler(hook, { ...this.#handlerContext(), alive })),
      turn,
      faults: context.faults(),
      log: (text, values) => context.log(text, spec, values),
      hookFailed: () => void context.event('Warning', 'FailedPreStopHook', 'PreStopHook failed', spec),
    });
  }

  shorten(grace: Seconds): void {
    this.#ending?.shorten(grace);
  }

  kill(): void {
    this.#options.process.kill();
  }

  #handlerContext() {
    const { context, spec } = this.#options;
    const { place, shared } = context;
    return { spec, place, sandbox: this.sandbox, scale: shared.scale, signal: this.#over.signal };
  }
}
