import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootId, startTicks } from './proc.ts';

/** File in a cluster's folder that says which process the cluster lives in. */
const FILE = 'owner.json';

interface Owner {
  pid: number;
  cluster: string;
  /** Absent where the host has no /proc. */
  ticks?: string | undefined;
  boot?: string | undefined;
}

/** Says that the cluster of `folder` lives in the process `pid`. */
export function writeOwner(folder: string, cluster: string, pid: number = process.pid): void {
  const owner: Owner = { pid, cluster, ticks: startTicks(pid), boot: bootId() };
  writeFileSync(join(folder, FILE), JSON.stringify(owner), { mode: 0o600 });
}

/** Whether the process that a cluster lived in is still there; `unknown` where the folder does not say. */
export function ownerOf(folder: string): 'alive' | 'dead' | 'unknown' {
  let owner: Owner;
  try {
    owner = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Owner;
  } catch {
    return 'unknown';
  }
  if (!Number.isInteger(owner.pid) || owner.pid <= 0) return 'unknown';
  const boot = bootId();
  if (owner.boot !== undefined && boot !== undefined && owner.boot !== boot) return 'dead';
  const ticks = startTicks(owner.pid);
  if (ticks !== undefined && owner.ticks !== undefined) return ticks === owner.ticks ? 'alive' : 'dead';
  try {
    process.kill(owner.pid, 0);
    return 'alive';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : 'dead';
  }
}
