import { markedProcesses, type MarkedProcess } from './proc.ts';

/** Milliseconds of the wall between two looks, and until the search is given up. */
const LOOK_MS = 40;
const GIVE_UP_MS = 20_000;
/** Looks in a row that must find none: a process that is just being started carries its marker only a moment later. */
const QUIET_LOOKS = 3;

/** Kills all processes that `find` finds, again and again until none is left; answers how many different ones there were. */
export async function killAll(find: () => Promise<MarkedProcess[]>): Promise<number> {
  const seen = new Set<number>();
  const end = performance.now() + GIVE_UP_MS;
  for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < end;) {
    const found = await find();
    quiet = found.length === 0 ? quiet + 1 : 0;
    for (const { pid, group } of found) {
      seen.add(pid);
      kill(pid);
      if (group === pid) kill(-pid); // the group is a container's own
    }
    if (quiet < QUIET_LOOKS) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return seen.size;
}

/** Kills all that carries the marker of `cluster`. */
export const killCluster = (cluster: string): Promise<number> => killAll(() => markedProcesses(cluster));

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it is gone, or not ours
  }
}
