import { existsSync, readFileSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { cgroups, removeCgroups } from './cgroups.ts';
import { withLock } from './lock.ts';
import type { Places } from './places.ts';
import { endSandbox, findInit } from './sandbox.ts';
import type { Say } from './step.ts';

/** Ends the cluster and removes all that it left: processes, mounts, interfaces, cgroups, state. The build is kept. */
export async function down(places: Places, { dryRun }: { dryRun: boolean }, say: Say): Promise<void> {
  const init = findInit(places.name);
  const would = dryRun ? 'would ' : '';
  say(
    init === undefined ? `no cluster ${places.name} runs` : `${would}kill its init, process ${init}, and so all of it`,
  );
  for (const path of cgroups(places.cgroup).filter((path) => existsSync(path))) say(`${would}remove ${path}`);
  if (existsSync(places.state)) say(`${would}remove ${places.state}`);
  if (dryRun) return;
  await withLock(places.lock, say, () => clear(places));
}

/** Leaves nothing of the cluster, however much of it there is. */
export async function clear(places: Places, { keepLogs = false } = {}): Promise<void> {
  await endSandbox(places.name);
  await removeCgroups(places.cgroup);
  removeMadeFolders(places);
  if (!keepLogs) return rmSync(places.state, { recursive: true, force: true });
  for (const name of existsSync(places.state) ? readdirSync(places.state) : [])
    if (join(places.state, name) !== places.log) rmSync(join(places.state, name), { recursive: true, force: true });
}

function removeMadeFolders({ madeFolders }: Places): void {
  if (!existsSync(madeFolders)) return;
  for (const path of readFileSync(madeFolders, 'utf8').trim().split('\n')) {
    try {
      rmdirSync(path);
    } catch {
      // somebody uses it by now, or it is gone: either way it is not ours
    }
  }
}
