import type { Readable, Writable } from 'node:stream';
import { now } from '../../time/clock.ts';
import type { Program } from '../programs.ts';
import { killGroup, runProgram, type Start, type Told } from './program-run.ts';
import { Spawner, type Client } from './spawner.ts';

/** Milliseconds of the wall that a dead program's pipes are given to close where a caller reads them at its own pace. */
const DRAIN_MS = 10_000;

export interface Launch {
  program: Program;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Whether the program gets a standard input; only where a caller reads the streams. Otherwise it reads nothing. */
  stdin?: boolean;
  /** Whether it gives way to the cluster and the harness: a container does, a hook does not. */
  givesWay?: boolean;
  /** Takes the output, all of it before the program counts as ended; without it a caller reads the streams. */
  output?: Client['output'] | undefined;
}

export interface Exit {
  /** Exit code, 128 + n where signal n ended the program. */
  code: number;
  signal: NodeJS.Signals | undefined;
  /** Monotonic milliseconds at which the end was noticed. */
  at: number;
  /** A descendant that left the process group held the pipes open: it may still run. */
  escaped: boolean;
}

/** The thread of all kubelets of this process. */
export const spawner = new Spawner();

/** A program of the host in a process group of its own. When it ends, whatever is left of its group is killed. */
export class HostProcess {
  readonly pid: number;
  /** Monotonic milliseconds at which the program was started. */
  readonly spawnedAt: number;
  /** Settles at the first sign of life with the milliseconds since the start; never where the program gives none. */
  readonly alive: Promise<number>;
  /** Settles when the program ended and its output was read. */
  readonly exited: Promise<Exit>;
  /** The streams are there where a caller reads them. */
  stdin: Writable | undefined;
  stdout: Readable | undefined;
  stderr: Readable | undefined;
  readonly #ended: Int32Array;
  #settleAlive!: (afterMs: number) => void;
  #settleExited!: (exit: Exit) => void;

  private constructor(pid: number, spawnedAt: number, ended: Int32Array) {
    this.pid = pid;
    this.spawnedAt = spawnedAt;
    this.#ended = ended;
    this.alive = new Promise((resolve) => (this.#settleAlive = resolve));
    this.exited = new Promise((resolve) => (this.#settleExited = resolve));
  }

  /**
   * Starts a program: from the spawner's thread where its output is taken, from this one where a caller reads its streams.
   * @throws the system's error (as a rejection) where the program cannot be started: ENOENT, EACCES, EAGAIN, ...
   */
  static launch({ program, args, cwd, env, stdin, givesWay, output }: Launch, thread = spawner): Promise<HostProcess> {
    const ended = new Int32Array(new SharedArrayBuffer(4));
    const start: Start = {
      file: program.file,
      args: [...program.args, ...args],
      cwd,
      env,
      stdin: stdin ?? false,
      givesWay: givesWay ?? false,
      ended,
    };
    return new Promise((resolve, reject) => {
      let process: HostProcess | undefined;
      const tell: Client['tell'] = (told) => {
        if (told.is === 'started') resolve((process = new HostProcess(told.pid, told.at, ended)));
        else if (process) process.#tell(told);
        else if (told.is === 'refused') reject(Object.assign(new Error(told.message), { code: told.code }));
        else if (told.is === 'lost') reject(new Error(told.message));
      };
      if (output) return thread.run(start, { tell, output });
      const child = runProgram(start, DRAIN_MS, tell);
      if (!child || !process) return;
      process.stdin = child.stdin ?? undefined;
      process.stdout = child.stdout ?? undefined;
      process.stderr = child.stderr ?? undefined;
    });
  }

  get ended(): boolean {
    return Atomics.load(this.#ended, 0) === 1;
  }

  /** Signals the program alone, as a runtime signals the first process of a container. */
  signal(signal: NodeJS.Signals): void {
    if (this.ended) return;
    try {
      process.kill(this.pid, signal);
    } catch {
      // it ended in this instant
    }
  }

  /** SIGKILL to the program and all of its group. */
  kill(): void {
    if (!this.ended) killGroup(this.pid);
  }

  #tell(told: Told | { is: 'lost' }): void {
    if (told.is === 'alive') this.#settleAlive(told.at - this.spawnedAt);
    else if (told.is === 'over') {
      const { code, signal, at, escaped } = told;
      this.#settleExited({ code, signal, at, escaped });
    } else if (told.is === 'lost') {
      // Nobody reads its output or notices its end any more. The pid is still its own: only the thread would have reaped it.
      this.kill();
      Atomics.store(this.#ended, 0, 1);
      this.#settleExited({ code: 137, signal: 'SIGKILL', at: now(), escaped: true });
    }
  }
}
