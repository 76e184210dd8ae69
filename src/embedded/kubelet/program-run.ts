import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { now } from '../../time/clock.ts';
import { environment } from '../environment.ts';
import { giveWay } from './scheduling.ts';

/** The file descriptor on which a program writes one byte as its first sign of life. */
const ALIVE_FD = 3;

/** What a program of the host is started with; plain, so that it can be sent to another thread. */
export interface Start {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Whether the program gets a standard input; otherwise it reads nothing. */
  stdin: boolean;
  /** Whether it gives way to the cluster and the harness. */
  givesWay: boolean;
  /** Shared memory: 1 from the instant in which the program's end is known, in whichever thread. */
  ended: Int32Array;
}

/** What becomes of a program, in this order; instants are milliseconds of the monotonic clock of the thread that runs it. */
export type Told =
  | { is: 'started'; pid: number; at: number }
  | { is: 'refused'; code: string | undefined; message: string }
  | { is: 'alive'; at: number }
  | { is: 'over'; code: number; signal: NodeJS.Signals | undefined; at: number; escaped: boolean };

/**
 * Starts a program in a process group of its own, which blocks this thread until the program is executed; answers undefined
 * where that is refused. When the program ends, whatever is left of its group is killed, and its pipes are given `drainMs` of
 * the wall to close.
 */
export function runProgram(start: Start, drainMs: number, tell: (told: Told) => void): ChildProcess | undefined {
  const { file, args, cwd, env, stdin, givesWay, ended } = start;
  const refused = ({ code, message }: NodeJS.ErrnoException) => tell({ is: 'refused', code, message });
  const at = now();
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      cwd,
      env: { ...env, [environment.aliveFd]: String(ALIVE_FD) },
      detached: true,
      stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    refused(error as Error); // such as a NUL in an argument
    return undefined;
  }
  child.once('error', refused);
  const { pid } = child;
  if (pid === undefined) return undefined;
  tell({ is: 'started', pid, at });
  if (givesWay) giveWay(pid);
  for (const stream of child.stdio) stream?.on('error', () => {}); // the program closed its end
  (child.stdio[ALIVE_FD] as Readable).once('data', () => tell({ is: 'alive', at: now() }));
  child.once('exit', (code, signal) => {
    const exit = {
      code: code ?? 128 + (signal ? constants.signals[signal] : 0),
      signal: signal ?? undefined,
      at: now(),
    };
    Atomics.store(ended, 0, 1);
    killGroup(pid);
    let timer: NodeJS.Timeout | undefined = undefined;
    const over = (escaped: boolean) => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      tell({ is: 'over', ...exit, escaped });
    };
    child.once('close', () => over(false));
    // A descendant that left the group can hold the pipes open for ever.
    timer = setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy();
      over(true);
    }, drainMs);
  });
  return child;
}

/** SIGKILL to all of a program's group. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // nothing is left of the group
  }
}
