import { readdirSync, readFileSync, readlinkSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { networkInterfaces } from 'node:os';

/** Settings that count something, or that give another answer each time. */
const volatile =
  /random\/|quota\/|\/(dentry-state|inode-(nr|state)|file-nr|nr|ns_last_pid|nf_conntrack_count|pty\/nr|aio-nr|inotify)$/;

/**
 * What a cluster must leave as it was: everything of the machine that it could have changed. Of cgroups only those at the top,
 * where its own would be; those of other clusters, which may be at work beside it, are left out. `cgroup` is its own.
 */
export function machine(cgroup: string) {
  const ofOthers = (name: string) => name.startsWith('quiesce-') && name !== cgroup;
  const hierarchies = ['/sys/fs/cgroup', ...folders('/sys/fs/cgroup').map((name) => join('/sys/fs/cgroup', name))];
  return {
    mounts: mountPoints(),
    interfaces: Object.keys(networkInterfaces()).concat(readdirSync('/sys/class/net')).sort(),
    cgroups: hierarchies
      .flatMap((path) => folders(path).flatMap((name) => (ofOthers(name) ? [] : [join(path, name)])))
      .sort(),
    sysctls: sysctls(),
    places: ['/var/lib', '/var/log', '/opt', '/etc', '/usr/libexec', '/run', '/'].flatMap((path) =>
      readdirSync(path).map((name) => join(path, name)),
    ),
  };
}

/** Host processes in the network or process namespace of that process; the process itself is one of them. */
export function processesBeside(pid: number): number[] {
  const own = ['net', 'pid'].map((kind) => namespaceOf(pid, kind));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => ['net', 'pid'].some((kind, i) => own[i] !== undefined && namespaceOf(other, kind) === own[i]));
}

export function namespaceOf(pid: number | 'self', kind: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined;
  }
}

const mountPoints = () =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .trim()
    .split('\n')
    // Without the ids, which are no property of a mount.
    .map((line) => line.split(' ').slice(2).join(' '));

function sysctls(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of filesBelow('/proc/sys')) {
    if (volatile.test(path)) continue;
    try {
      found[path] = readFileSync(path, 'utf8');
    } catch {
      // one that can only be written
    }
  }
  return found;
}

const entries = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // it has just gone
  }
};

const folders = (folder: string): string[] =>
  entries(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const filesBelow = (folder: string): string[] =>
  entries(folder).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
