import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BundleError, systemCode, writeError } from './errors.ts';
import { LOCK_FILE } from './hashes.ts';
import { makeFolder } from './make-folder.ts';

/** Makes `folder` ours for one run: it must be new or empty. @throws BundleError */
export function claimFolder(folder: string): void {
  let others: string[];
  try {
    makeFolder(folder);
    others = readdirSync(folder).filter((name) => name !== LOCK_FILE);
  } catch (error) {
    throw writeError(error, folder);
  }
  const owner = lockOwner(folder);
  if (owner !== undefined && alive(owner)) throw locked(folder, owner);
  if (others.length > 0) {
    const seen = `${folder} is not empty: ${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}`;
    throw new BundleError('BUNDLE_NOT_EMPTY', seen, 'Choose a new folder with --out, or empty this one.');
  }
  const lock = join(folder, LOCK_FILE);
  try {
    if (owner !== undefined) rmSync(lock, { force: true });
    // Exclusive: of two runs that start at once exactly one gets it.
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? locked(folder, lockOwner(folder) ?? 0) : writeError(error, folder);
  }
}

const locked = (folder: string, owner: number) =>
  new BundleError(
    'BUNDLE_LOCKED',
    `process ${owner} writes into ${folder} at this moment`,
    'Wait for it, or choose another folder with --out.',
  );

/** Process that holds the lock of `folder`, dead or alive; undefined where there is no lock. */
function lockOwner(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, LOCK_FILE), 'utf8')) || 0;
  } catch {
    return undefined;
  }
}

function alive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
