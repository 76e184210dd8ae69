import { existsSync, mkdirSync, readdirSync, rmdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

const MOUNT = '/sys/fs/cgroup';

/** Every hierarchy of cgroups on the machine: one of version 2, or one for each controller of version 1. */
function hierarchies(): string[] {
  if (existsSync(join(MOUNT, 'cgroup.controllers'))) return [MOUNT];
  return folders(MOUNT).map((name) => join(MOUNT, name));
}

/** The cgroup of that name in every hierarchy. */
export const cgroups = (name: string): string[] => hierarchies().map((hierarchy) => join(hierarchy, name));

export function makeCgroups(name: string): void {
  for (const path of cgroups(name)) mkdirSync(path, { recursive: true });
}

/** Removes them with all below; waits while one still holds a process that is being killed. */
export async function removeCgroups(name: string): Promise<void> {
  await until(`the end of the cgroups ${name}`, () => (cgroups(name).forEach(remove), true), { seconds: 20 });
}

function remove(path: string): void {
  if (!existsSync(path)) return;
  for (const name of folders(path)) remove(join(path, name));
  rmdirSync(path);
}

const folders = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry: Dirent) => entry.isDirectory())
    .map(({ name }) => name);
