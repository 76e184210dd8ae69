import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'zx';
import { controlPlane } from './control-plane.ts';
import { daemonStep } from './daemon.ts';
import { network, REAL_NODE } from './network.ts';
import { nodeSteps } from './node.ts';
import type { Places } from './places.ts';
import { proxy } from './proxy.ts';
import { command, type Step } from './step.ts';

/**
 * What kubelets want of the machine's kernel. They are shown it: files with these values lie over the real ones in the
 * cluster's mount namespace, and the machine keeps its own.
 */
const wanted = {
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
};

/** Every address of these can be listened on, and none of them is looked for elsewhere. */
const local = {
  'other Nodes': network.nodes,
  'Pods of a process kubelet': network.processPods,
  Services: network.services,
};

/** All that is done inside the cluster's namespaces, in order. */
export function insideSteps(places: Places, kubelet: boolean): Step[] {
  const { log, state } = places;
  return [
    command('give the cluster a /run of its own', ['mount', '-t', 'tmpfs', 'tmpfs', '/run']),
    {
      does: 'give it a /var/log of its own',
      shows: [`mount --bind ${state}/var-log /var/log`],
      run: async () => {
        mkdirSync(join(state, 'var-log'), { recursive: true });
        await $`mount --bind ${join(state, 'var-log')} /var/log`;
      },
    },
    showSysctls,
    command('name the host', ['hostname', REAL_NODE]),
    command('bring up loopback', ['ip', 'link', 'set', 'lo', 'up']),
    command('address of the Node', ['ip', 'address', 'add', `${network.node}/32`, 'dev', 'lo']),
    ...Object.entries(local).map(([what, range]) =>
      // Without `src` a connection to an address of the range would come from that very address.
      command(`addresses of ${what}`, ['ip', 'route', 'add', 'local', range, 'dev', 'lo', 'src', network.node]),
    ),
    {
      does: 'forward packets in this network namespace',
      shows: ['echo 1 > /proc/sys/net/ipv4/ip_forward'],
      run: () => writeFileSync('/proc/sys/net/ipv4/ip_forward', '1\n'),
    },
    ...controlPlane(places).map((daemon) => daemonStep(daemon, log)),
    // kube-proxy belongs to a Node: without one it waits for it in vain, and others may listen on Services' addresses.
    ...(kubelet ? [...nodeSteps(places), daemonStep(proxy(places), log)] : []),
  ];
}

const showSysctls: Step = {
  does: 'show kubelets the kernel settings that they want; the machine keeps its own',
  shows: Object.entries(wanted).map(([name, value]) => `mount --bind (a file with ${value}) /proc/sys/${name}`),
  run: async () => {
    mkdirSync('/run/quiesce/sysctl', { recursive: true });
    for (const [name, value] of Object.entries(wanted)) {
      const file = `/run/quiesce/sysctl/${name.replaceAll('/', '.')}`;
      writeFileSync(file, `${value}\n`);
      await $`mount --bind ${file} ${`/proc/sys/${name}`}`;
    }
  },
};
