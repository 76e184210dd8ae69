import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, readdirSync, closeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Places } from './places.ts';
import { until } from './until.ts';

/**
 * The init process of the cluster of that name, as this process sees it, or undefined where none runs. It is known by its
 * command line and by being process 1 of a process namespace, so that no state file can point to a stranger.
 */
export function findInit(name: string): number | undefined {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .find((pid) => {
      try {
        const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        if (basename(program) !== 'kube' || args[0] !== 'init' || args[1] !== name) return false;
        return /^NSpid:.*\s1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false; // it has just ended
      }
    });
}

/** `unshare` stays as the parent of the namespaces' init; when it dies init dies with it, and with init all the rest. */
export const sandboxCommand = (program: string, name: string): string[] => [
  ...['unshare', '--mount', '--net', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--mount-proc'],
  ...[program, 'init', name],
];

/** Makes the namespaces; their init and its parent outlive this process. */
export async function startSandbox({ name, log }: Places, program: string): Promise<void> {
  mkdirSync(log, { recursive: true });
  const [file = '', ...args] = sandboxCommand(program, name);
  const output = openSync(join(log, 'init.log'), 'w');
  const child = spawn(file, args, { detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `unshare ended (${code ?? signal}): ${tail(join(log, 'init.log'))}`));
  await until('the init process of the namespaces', () => findInit(name) !== undefined, {
    seconds: 20,
    hopeless: () => ended,
  });
  child.unref();
}

/** A command line that runs another one in all namespaces of the cluster. Paths must be absolute. */
export const inside = (init: number, argv: readonly string[]): string[] => [
  ...['nsenter', '-t', String(init), '-m', '-n', '-p', '-i', '-u', '--'],
  ...argv,
];

/** Kills init, and so every process, mount and interface of the cluster; settles when all are gone. */
export async function endSandbox(name: string): Promise<void> {
  const pid = findInit(name);
  if (pid === undefined) return;
  const parent = parentOf(pid);
  process.kill(pid, 'SIGKILL');
  // The kernel lets init go only when everything else in its namespace is gone; `unshare` ends after it.
  const all = parent === undefined ? [pid] : [pid, parent];
  await until(`the end of process ${pid} and all that ran under it`, () => all.every(isGone), { seconds: 30 });
}

/** The `unshare` that waits for init, where it is still there. */
function parentOf(init: number): number | undefined {
  const parent = Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${init}/status`, 'utf8'))?.[1]);
  return readFileSync(`/proc/${parent}/comm`, 'utf8').trim() === 'unshare' ? parent : undefined;
}

/** Whether a process is gone, or dead and merely not yet looked at by its parent. */
export function isGone(pid: number): boolean {
  if (!existsSync(`/proc/${pid}`)) return true;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}

/** The last lines of a log, for an error message. */
export function tail(path: string, lines = 8): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return `(${path} is not there)`;
  }
}
