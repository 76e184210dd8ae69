import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { $ } from 'zx';
import { shown, type Step } from './step.ts';

/** Debian packages by the program that is needed of each. */
const packages = {
  always: { unshare: 'util-linux', nsenter: 'util-linux', flock: 'util-linux', ip: 'iproute2', nft: 'nftables' },
  kubelet: {
    containerd: 'containerd',
    runc: 'runc',
    '/usr/lib/cni/ptp': 'containernetworking-plugins',
    iptables: 'iptables',
    '/bin/busybox': 'busybox-static',
  },
};

/** Folders of system programs, which the PATH of some users leaves out. */
export const SYSTEM_PATH = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin'];

const isThere = (program: string): boolean =>
  program.startsWith('/')
    ? existsSync(program)
    : [...(process.env['PATH'] ?? '').split(delimiter), ...SYSTEM_PATH].some((folder) =>
        existsSync(join(folder, program)),
      );

/** What is missing on this machine: program to package. */
export function missingPrograms(withKubelet: boolean, there = isThere): [program: string, debianPackage: string][] {
  const needed = { ...packages.always, ...(withKubelet ? packages.kubelet : {}) };
  return Object.entries(needed).filter(([program]) => !there(program));
}

/** Steps that install what is missing; none where all is there. */
export function packageSteps(withKubelet: boolean): Step[] {
  const missing = missingPrograms(withKubelet);
  if (missing.length === 0) return [];
  const names = [...new Set(missing.map(([, name]) => name))].sort();
  const argv = ['apt-get', 'install', '--yes', '--no-install-recommends', ...names];
  return [
    {
      does: `install what is missing: ${missing.map(([program, name]) => `${program} (${name})`).join(', ')}`,
      shows: ['apt-get update', shown(argv)],
      run: async () => {
        if (!isThere('apt-get'))
          throw new Error(`apt-get: not found, so install by hand: ${missing.map(([program]) => program).join(', ')}`);
        const quiet = $({ env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
        await quiet`apt-get update`;
        await quiet`${argv}`;
        const still = missingPrograms(withKubelet).map(([program]) => program);
        if (still.length > 0) throw new Error(`installed, and still not found: ${still.join(', ')}`);
      },
    },
  ];
}
