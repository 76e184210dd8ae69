import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Places } from './places.ts';
import { state } from './up.ts';

/**
 * Runs a command in the cluster's network, and in it alone: files and processes are the machine's. KUBECONFIG and PATH are
 * set so that kubectl works. Returns the command's exit code, 128 + n where signal n ended it.
 */
export async function runInNetwork(places: Places, argv: readonly string[]): Promise<number> {
  const running = state(places);
  if (!running) throw new Error(`no cluster ${places.name} is up; start it: npx zx scripts/real/kubernetes-up`);
  const child = spawn('nsenter', ['-t', String(running.init), '-n', '--', ...argv], {
    stdio: 'inherit',
    env: { ...process.env, KUBECONFIG: places.kubeconfig, PATH: `${places.bin}:${process.env['PATH'] ?? ''}` },
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}
