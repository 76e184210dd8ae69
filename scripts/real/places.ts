import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../usage-error.ts';

/** Folders that the cluster sees other contents of: nothing that it must read may lie below them. */
const HIDDEN = ['/run', '/var/run', '/var/log', '/var/lib/kubelet', '/var/lib/cni', '/proc', '/dev/shm'];

/** Where builds are kept, outside of any clone: `$QUIESCE_CACHE`, else `quiesce` in the user's cache folder. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return usable(env['QUIESCE_CACHE'] || join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'quiesce'));
}

/** Where everything of one lab cluster lies. */
export type Places = ReturnType<typeof placesOf>;

/** @throws UsageError where the name cannot be one of a cgroup and a host */
export function placesOf(name: string, env: NodeJS.ProcessEnv = process.env) {
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(name))
    throw new UsageError(`--name ${name}`, 'up to 31 small letters, digits and -, a letter first', 'leave it out');
  const root = usable(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'));
  const state = join(root, 'quiesce', name);
  return {
    name,
    state,
    /** Written when the cluster is up; without it whatever runs is half a cluster. */
    ready: join(state, 'ready.json'),
    pki: join(state, 'pki'),
    log: join(state, 'log'),
    /** Links of the programs' names to the one that holds them all. */
    bin: join(state, 'bin'),
    etcd: join(state, 'etcd'),
    /** The cluster administrator's. */
    kubeconfig: join(state, 'kubeconfig'),
    /** Taken by `up` and `down` while they work. Outside of the state, which `down` removes. */
    lock: join(root, 'quiesce', `${name}.lock`),
    /** Folders outside of the state that had to be made, one a line: places to mount something on. */
    madeFolders: join(state, 'made-folders'),
    /** Parent of all Pods' cgroups, in every hierarchy of the machine. */
    cgroup: `quiesce-${name}`,
  };
}

function usable(folder: string): string {
  const path = resolve(folder);
  const hidden = HIDDEN.find((above) => path === above || path.startsWith(`${above}/`));
  if (hidden)
    throw new UsageError(
      `the folder ${path}`,
      `one outside of ${hidden}, of which the cluster has its own`,
      'set QUIESCE_CACHE and XDG_STATE_HOME to folders elsewhere',
    );
  return path;
}
