import { readdir, readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { environment } from '../environment.ts';

/** A process of this host that a cluster has started. */
export interface MarkedProcess {
  pid: number;
  /** Leader of its process group. */
  group: number;
  parent: number;
  cluster: string;
  /** The folder that stands for its container's root, which lies in its cluster's folder. */
  root: string | undefined;
}

/** Whether this host has /proc, without which processes cannot be found by their marker. */
export function hasProc(): boolean {
  try {
    readFileSync('/proc/self/stat');
    return true;
  } catch {
    return false;
  }
}

/** All processes that carry the marker of a cluster, of `cluster` alone where it is given; none where /proc is missing. */
export async function markedProcesses(cluster?: string): Promise<MarkedProcess[]> {
  if (!hasProc()) return [];
  const found: MarkedProcess[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const marked = await inspect(name, cluster);
    if (marked) found.push(marked);
  }
  return found;
}

async function inspect(name: string, cluster: string | undefined): Promise<MarkedProcess | undefined> {
  try {
    const variables = (await readFile(`/proc/${name}/environ`, 'latin1')).split('\0');
    const value = (key: string) => variables.find((v) => v.startsWith(`${key}=`))?.slice(key.length + 1);
    const of = value(environment.cluster);
    if (!of || (cluster !== undefined && of !== cluster)) return undefined;
    const [, parent = 0, group = 0] = fields(await readFile(`/proc/${name}/stat`, 'latin1'));
    return {
      pid: Number(name),
      parent: Number(parent),
      group: Number(group),
      cluster: of,
      root: value(environment.root),
    };
  } catch {
    return undefined; // it ended, or belongs to another user
  }
}

/** When a process was started, in ticks since the boot: with its number it names a process for ever. */
export function startTicks(pid: number): string | undefined {
  try {
    return fields(readFileSync(`/proc/${pid}/stat`, 'latin1'))[19];
  } catch {
    return undefined;
  }
}

/** Names the boot of this host, so that ticks of another one are not taken for ours. */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return undefined;
  }
}

/** The fields of /proc/PID/stat from the state on: the name before them may hold anything. */
const fields = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');
