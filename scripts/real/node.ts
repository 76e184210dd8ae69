import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'zx';

import { makeCgroups } from './cgroups.ts';
import { admin } from './control-plane.ts';
import { daemonStep, type Daemon } from './daemon.ts';
import { SANDBOX_IMAGE } from './images/doubles.ts';
import { importImages } from './images/import.ts';
import { network, REAL_NODE } from './network.ts';
import type { Places } from './places.ts';
import type { Step } from './step.ts';

/**
 * Accelerators that the Node says it has: more than the replicas of several scenarios side by side. No device stands behind
 * them, and the doubles ask for none.
 */
const GPUS = 64;

const SOCKET = '/run/containerd/containerd.sock';

/** containerd with the doubles' images, and the kubelet: all inside of the cluster's namespaces. */
export function nodeSteps(places: Places): Step[] {
  const { log, cgroup } = places;
  return [
    {
      does: `cgroup ${cgroup}, below which all Pods are`,
      run: () => makeCgroups(cgroup),
    },
    ownFolder(places, '/var/lib/kubelet', 'kubelet'),
    ownFolder(places, '/var/lib/cni', 'cni'),
    daemonStep(containerd(places), log),
    importImages(places, SOCKET),
    daemonStep(kubelet(places), log),
    {
      does: `advertise ${GPUS} nvidia.com/gpu on ${REAL_NODE}`,
      run: async () => {
        const status = { capacity: { 'nvidia.com/gpu': String(GPUS) } };
        await admin(places).patch(`/api/v1/nodes/${REAL_NODE}/status`, { status });
      },
    },
  ];
}

/** Puts a folder of the state in the place of one whose path is fixed. What must be made for it is noted, for `down`. */
function ownFolder({ state, madeFolders }: Places, path: string, name: string): Step {
  const own = join(state, name);
  return {
    does: `give the cluster a ${path} of its own`,
    shows: [`mount --bind ${own} ${path}`, `mount --make-shared ${path}`],
    run: async () => {
      mkdirSync(own, { recursive: true });
      if (!existsSync(path)) {
        writeFileSync(madeFolders, `${path}\n`, { flag: 'a' });
        mkdirSync(path, { recursive: true });
      }
      await $`mount --bind ${own} ${path}`;
      await $`mount --make-shared ${path}`;
    },
  };
}

function containerd({ state }: Places): Daemon {
  const config = join(state, 'containerd.toml');
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return {
    name: 'containerd',
    argv: ['containerd', '--config', config],
    files: {
      [config]: `version = 2
root = "${state}/containerd"
state = "/run/containerd"
[grpc]
address = "${SOCKET}"
[plugins."io.containerd.internal.v1.opt"]
path = "${state}/containerd-opt"
[${cri}]
sandbox_image = "${SANDBOX_IMAGE}"
restrict_oom_score_adj = true
disable_apparmor = true
[${cri}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[${cri}.containerd.runtimes.runc.options]
SystemdCgroup = false
[${cri}.cni]
bin_dir = "/usr/lib/cni"
conf_dir = "${state}/cni-config"
`,
      // Point to point, not a bridge: packets between two Pods of this Node are routed too, so that rules of Services hold.
      [join(state, 'cni-config/10-quiesce.conflist')]: {
        cniVersion: '0.4.0',
        name: 'quiesce',
        plugins: [
          {
            type: 'ptp',
            ipam: {
              type: 'host-local',
              ranges: [[{ subnet: network.pods }]],
              routes: [{ dst: '0.0.0.0/0' }],
            },
          },
        ],
      },
    },
    ready: {
      fact: 'containerd to answer',
      seen: async () => (await $({ nothrow: true })`ctr --address ${SOCKET} version`).exitCode === 0,
      seconds: 30,
    },
  };
}

function kubelet(places: Places): Daemon {
  const { state, pki, bin, cgroup } = places;
  const config = join(state, 'kubelet.json');
  const resolvConf = join(state, 'resolv.conf');
  return {
    name: 'kubelet',
    argv: [
      ...[join(bin, 'kubelet'), `--config=${config}`, `--kubeconfig=${join(pki, 'nodes', `${REAL_NODE}.kubeconfig`)}`],
      ...[`--hostname-override=${REAL_NODE}`, `--node-ip=${network.node}`, '--v=2'],
    ],
    files: {
      [resolvConf]: 'nameserver 127.0.0.1\n',
      [config]: {
        apiVersion: 'kubelet.config.k8s.io/v1beta1',
        kind: 'KubeletConfiguration',
        address: network.node,
        readOnlyPort: 0,
        authentication: {
          anonymous: { enabled: false },
          webhook: { enabled: true },
          x509: { clientCAFile: join(pki, 'ca.crt') },
        },
        authorization: { mode: 'Webhook' },
        tlsCertFile: join(pki, 'kubelet-server.crt'),
        tlsPrivateKeyFile: join(pki, 'kubelet-server.key'),
        containerRuntimeEndpoint: `unix://${SOCKET}`,
        cgroupDriver: 'cgroupfs',
        cgroupRoot: `/${cgroup}`,
        failCgroupV1: false,
        failSwapOn: false,
        // It refuses to start, rather than to set, where the machine's kernel is not as it wants it.
        protectKernelDefaults: true,
        makeIPTablesUtilChains: false,
        oomScoreAdj: 0,
        resolvConf,
        volumePluginDir: join(state, 'kubelet/volume-plugins'),
        podLogsDir: '/var/log/pods',
        imageGCHighThresholdPercent: 100,
        imageGCLowThresholdPercent: 99,
        evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
      },
    },
    ready: { fact: `the Node ${REAL_NODE} to be ready`, seen: () => isReady(places), seconds: 60 },
  };
}

interface Node {
  metadata: { name: string };
  status?: { conditions?: { type: string; status: string }[] };
}

async function isReady(places: Places): Promise<boolean> {
  const { status } = await admin(places).request<Node>('GET', `/api/v1/nodes/${REAL_NODE}`);
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}
