import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeError } from './errors.ts';

/** Writes a file whole or not at all: a reader never meets half of it. @throws BundleError where the disk fails */
export function writeWhole(path: string, text: string): void {
  const next = `${path}.${process.pid}.new`;
  try {
    writeFileSync(next, text);
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw writeError(error, path);
  }
}
