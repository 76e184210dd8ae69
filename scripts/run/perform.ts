import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUN_VARIABLE, type RunOptions } from '../../fixtures/options.ts';
import { sweep } from '../../src/embedded/sweep.ts';
import { exitCodes } from '../exit-codes.ts';

/** How the run ended: by itself, or by a signal that we were sent. */
export type Ending = 'complete' | 'SIGINT' | 'SIGTERM';

/** Root of the project: the bundled command stands in dist/. */
export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Runs the jobs of a run in Playwright and waits for its end. Playwright writes its reports on SIGINT only, so SIGTERM
 * is passed on as SIGINT; it runs in a process group of its own, so that Ctrl-C reaches it once. Its standard input is
 * a pipe of ours: where we are killed, it reads the end and stops as well.
 */
export async function perform(options: RunOptions): Promise<Ending> {
  await sweep();
  const cli = createRequire(join(projectRoot, 'package.json')).resolve('@playwright/test/cli');
  const child = spawn(process.execPath, [cli, 'test', '--config', join(projectRoot, 'playwright.config.ts')], {
    cwd: projectRoot,
    env: { ...process.env, [RUN_VARIABLE]: join(options.out, 'run.json'), FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
  });
  let ending: Ending = 'complete';
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    if (ending !== 'complete') return;
    ending = signal;
    child.kill('SIGINT');
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  return ending;
}

/** The exit code that an ending asks for, where it was no ordinary one. */
export const codeOfEnding = (ending: Ending): number | undefined =>
  ending === 'SIGINT' ? exitCodes.interrupted : ending === 'SIGTERM' ? exitCodes.terminated : undefined;
