import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { now } from '../../time/clock.ts';
import { environment } from '../environment.ts';
import type { Program } from '../programs.ts';
import { throttle } from './throttle.ts';

/** The file descriptor on which a program writes one byte as its first sign of life. */
const ALIVE_FD = 3;
/** Milliseconds of the wall that a dead program's pipes are given to close; more where a caller reads them at its own pace. */
const DRAIN_MS = { ours: 500, callers: 10_000 };

export interface Launch {
  program: Program;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Whether the program gets a standard input; otherwise it reads nothing. */
  stdin?: boolean;
  /** Takes the output and answers how many lines it was; without it a caller reads the streams. */
  output?: ((stream: 'stdout' | 'stderr', chunk: Buffer) => number) | undefined;
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

/** A program of the host in a process group of its own. When it ends, whatever is left of its group is killed. */
export class HostProcess {
  readonly pid: number;
  /** Monotonic milliseconds at which the program was started. */
  readonly spawnedAt: number;
  /** Settles at the first sign of life with the milliseconds since the start; never where the program gives none. */
  readonly alive: Promise<number>;
  /** Settles when the program ended and its output was read. */
  readonly exited: Promise<Exit>;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  #ended = false;

  private constructor(child: ChildProcess, pid: number, spawnedAt: number, output: Launch['output']) {
    this.pid = pid;
    this.spawnedAt = spawnedAt;
    this.stdin = child.stdin ?? undefined;
    this.stdin?.on('error', () => {}); // the program closed its end
    this.stdout = child.stdout as Readable;
    this.stderr = child.stderr as Readable;
    for (const stream of [this.stdout, this.stderr]) stream.on('error', () => {});
    const life = child.stdio[ALIVE_FD] as Readable;
    life.on('error', () => {});
    this.alive = new Promise((resolve) => life.once('data', () => resolve(now() - spawnedAt)));
    const free = output
      ? [throttle(this.stdout, (c) => output('stdout', c)), throttle(this.stderr, (c) => output('stderr', c))]
      : [];

    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        const at = now();
        this.#ended = true;
        this.#toGroup('SIGKILL');
        for (const release of free) release();
        const exit = { code: code ?? 128 + (signal ? constants.signals[signal] : 0), signal: signal ?? undefined, at };
        let timer: NodeJS.Timeout | undefined = undefined;
        const done = (escaped: boolean) => {
          clearTimeout(timer);
          resolve({ ...exit, escaped });
        };
        child.once('close', () => done(false));
        // A descendant that left the group can hold the pipes open for ever.
        timer = setTimeout(() => {
          for (const stream of child.stdio) stream?.destroy();
          done(true);
        }, output ? DRAIN_MS.ours : DRAIN_MS.callers);
      });
    });
  }

  /** @throws the system's error (as a rejection) where the program cannot be started: ENOENT, EACCES, EAGAIN, ... */
  static launch({ program, args, cwd, env, stdin, output }: Launch): Promise<HostProcess> {
    return new Promise((resolve, reject) => {
      const spawnedAt = now();
      const child = spawn(program.file, [...program.args, ...args], {
        cwd,
        env: { ...env, [environment.aliveFd]: String(ALIVE_FD) },
        detached: true,
        stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
      });
      child.once('error', reject);
      const { pid } = child;
      if (pid !== undefined) resolve(new HostProcess(child, pid, spawnedAt, output));
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Signals the program alone, as a runtime signals the first process of a container. */
  signal(signal: NodeJS.Signals): void {
    if (this.#ended) return;
    try {
      process.kill(this.pid, signal);
    } catch {
      // it ended in this instant
    }
  }

  /** SIGKILL to the program and all of its group. */
  kill(): void {
    if (!this.#ended) this.#toGroup('SIGKILL');
  }

  #toGroup(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch {
      // nothing is left of the group
    }
  }
}
