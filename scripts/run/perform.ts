import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
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
 * a pipe of ours: where we are killed, it reads the end and stops as well. A second signal does not wait for reports.
 */
export async function perform(options: RunOptions): Promise<Ending> {
  let ending: Ending = 'complete';
  let child: ChildProcess | undefined;
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    child?.kill(ending === 'complete' ? 'SIGINT' : 'SIGKILL');
    ending = signal;
  };
  // A terminal that is closed asks for the same as SIGTERM; without a listener it would end us in the middle.
  const hangUp = () => stop('SIGTERM');
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', hangUp);
  try {
    await sweep();
    if (stopped()) return ending;
    child = startPlaywright(options);
    await ended(child);
    dropTornReports(options.out);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    process.off('SIGHUP', hangUp);
  }
  return ending;

  function stopped(): boolean {
    return ending !== 'complete';
  }
}

function startPlaywright(options: RunOptions): ChildProcess {
  const cli = createRequire(join(projectRoot, 'package.json')).resolve('@playwright/test/cli');
  const { FORCE_COLOR: _, ...env } = process.env;
  return spawn(process.execPath, [cli, 'test', '--config', join(projectRoot, 'playwright.config.ts')], {
    cwd: projectRoot,
    env: {
      ...env,
      [RUN_VARIABLE]: join(options.out, 'run.json'),
      ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    },
    stdio: ['pipe', 2, 2], // progress; standard output has the result alone
    detached: true,
  });
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });

/** A report that a full disk left in the middle is none. */
function dropTornReports(out: string): void {
  for (const name of readdirSync(out)) {
    if (!/^junit.*\.xml$/.test(name)) continue;
    const path = join(out, name);
    if (!readFileSync(path, 'utf8').trimEnd().endsWith('</testsuites>')) rmSync(path);
  }
}

/** The exit code that an ending asks for, where it was no ordinary one. */
export const codeOfEnding = (ending: Ending): number | undefined =>
  ending === 'SIGINT' ? exitCodes.interrupted : ending === 'SIGTERM' ? exitCodes.terminated : undefined;
