import { existsSync } from 'node:fs';
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { killAll } from './reaper/kill.ts';
import { ownerOf } from './reaper/owner.ts';
import { hasProc, markedProcesses, type MarkedProcess } from './reaper/proc.ts';

export interface Swept {
  /** Processes of dead clusters that were killed. */
  processes: number;
  /** Folders of dead clusters that were removed. */
  folders: number;
  /** Why processes could not be looked for, where they could not. */
  note?: string;
}

/** An empty folder may be one that is just being made; after this many milliseconds it is not. */
const YOUNG_MS = 10 * 60_000;
const PATTERN = /^quiesce-.+-[^-]+$/;

/** Removes what dead clusters of this user have left: processes by their marker, folders `quiesce-ID-*` by their owner. Never touches a living one. */
export async function sweep(): Promise<Swept> {
  const dead: string[] = [];
  let folders = 0;
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (!PATTERN.test(name)) continue;
    if (isDead(folder)) dead.push(folder);
    else if (ownerOf(folder) === 'unknown' && (await removeEmpty(folder))) folders += 1;
  }
  const processes = await killAll(async () => (await markedProcesses()).filter(orphaned));
  for (const folder of dead) {
    try {
      await rm(folder, { recursive: true, maxRetries: 5, retryDelay: 50 });
      folders += 1;
    } catch {
      // its reaper was faster, or it belongs to another user
    }
  }
  const note = 'this host has no /proc: processes of dead clusters were not looked for';
  return { processes, folders, ...(hasProc() ? {} : { note }) };
}

/** Whether the cluster of a process is dead: its folder is gone, or names an owner that is gone. */
function orphaned({ root, cluster }: MarkedProcess): boolean {
  for (let folder = root ?? '/'; folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(folder).startsWith(`quiesce-${cluster}-`)) return !existsSync(folder) || isDead(folder);
  }
  return false; // not a folder of ours: nobody can say whose it is
}

const isDead = (folder: string): boolean => ownerOf(folder) === 'dead';

/** A folder that a cluster was killed over before it wrote its name into it; anything with content is not ours to judge. */
async function removeEmpty(folder: string): Promise<boolean> {
  try {
    if (Date.now() - (await stat(folder)).mtimeMs < YOUNG_MS) return false;
    await rmdir(folder);
    return true;
  } catch {
    return false;
  }
}
