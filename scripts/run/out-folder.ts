import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunOptions } from '../../fixtures/options.ts';
import { makeFolder, writeWhole } from '../../src/history/bundle.ts';
import { UsageError } from '../usage-error.ts';

/** A folder for a run that has none: `out/` and the local time. */
export const defaultOut = (): string => {
  const d = new Date();
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  return join('out', `${day}T${two(d.getHours())}-${two(d.getMinutes())}-${two(d.getSeconds())}-${process.pid}`);
};

/** Writes what is run now, for Playwright to read. @throws BundleError where the disk fails */
export const writeRunOptions = (options: RunOptions): void =>
  writeWhole(join(options.out, 'run.json'), JSON.stringify(options, null, 2));

/**
 * Makes the folder of a run and writes `run.json` in it, which also keeps a second run out.
 * @throws UsageError where the folder is not empty or cannot be written
 */
export function claimOut(folder: string, options: Omit<RunOptions, 'out'>): RunOptions {
  const out = resolve(folder);
  const complete: RunOptions = { ...options, out };
  try {
    makeFolder(out);
    const there = readdirSync(out);
    if (there.length > 0) {
      throw new UsageError(
        `the out folder ${folder} holds ${there.length} entries (${there.slice(0, 3).join(', ')})`,
        'an empty or absent folder, so that two runs never mix',
        'name another folder with --out, or remove this one',
      );
    }
    writeFile(join(out, 'run.json'), JSON.stringify(complete, null, 2));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const taken = (error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(join(out, 'run.json'));
    throw new UsageError(
      taken
        ? `another run has just begun in the out folder ${folder}`
        : `the out folder ${folder} cannot be used: ${(error as Error).message}`,
      taken ? 'a folder for each run' : 'a folder that can be written',
      'name another folder with --out',
    );
  }
  return complete;
}

/** Writes a new file whole or not at all. */
function writeFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true });
    throw error;
  }
}
