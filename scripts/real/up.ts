import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'zx';
import { buildStep, builtProgram, kubernetesVersion } from './build.ts';
import { makeNodeCredentials, makePki } from './certificates.ts';
import { clear } from './down.ts';
import { insideSteps } from './inside.ts';
import { interrupt } from './interrupt.ts';
import { withLock } from './lock.ts';
import { PROCESS_NODES, REAL_NODE } from './network.ts';
import { packageSteps } from './packages.ts';
import type { Places } from './places.ts';
import { root } from './root.ts';
import { whyNever } from './possible.ts';
import { findInit, inside, sandboxCommand, startSandbox } from './sandbox.ts';
import { perform, shown, type Say, type Step } from './step.ts';

export interface UpOptions {
  dryRun: boolean;
  /** Whether the real kubelet runs, with containerd and kube-proxy. */
  kubelet: boolean;
}

const programs = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
  'kubectl',
];

/** Makes the cluster, or finds that it is up. What it did is undone where it fails. */
export async function up(places: Places, options: UpOptions, say: Say): Promise<void> {
  if (options.dryRun) {
    await perform(steps(places, options), { dryRun: true, say });
    say('and inside of the namespaces:');
    return perform(insideSteps(places, options.kubelet), { dryRun: true, say });
  }
  const refused = whyNever();
  if (refused !== undefined) throw new Error(refused);
  await withLock(places.lock, say, async () => {
    const running = state(places);
    if (running && running.kubelet !== options.kubelet)
      throw new Error(
        `the cluster ${places.name} runs ${running.kubelet ? 'with' : 'without'} a kubelet, and the other was asked for; ` +
          'end it with kubernetes-down, or give another --name',
      );
    if (running) say(`the cluster ${places.name} is up already`);
    else await make(places, options, say);
  });
  tellHowToUse(places, say);
}

/** What `up` wrote when it was done, where the cluster it speaks of is still there. */
export function state({ ready, name }: Places): { kubelet: boolean; init: number } | undefined {
  const init = findInit(name);
  if (init === undefined || !existsSync(ready)) return undefined;
  return { ...(JSON.parse(readFileSync(ready, 'utf8')) as { kubelet: boolean }), init };
}

async function make(places: Places, options: UpOptions, say: Say): Promise<void> {
  const from = performance.now();
  await perform(steps(places, options), {
    say,
    stop: () => (interrupt.aborted ? (interrupt.reason as Error) : undefined),
  });
  writeFileSync(places.ready, JSON.stringify({ kubelet: options.kubelet, version: kubernetesVersion() }));
  say(`up after ${((performance.now() - from) / 1000).toFixed(1)} s`);
}

function steps(places: Places, { kubelet }: { kubelet: boolean }): Step[] {
  const { name, state, pki, bin } = places;
  const { program } = builtProgram();
  return [
    ...packageSteps(kubelet),
    buildStep(),
    {
      does: `clear away what is left of a former cluster ${name}`,
      shows: [`rm -rf ${state}`],
      run: () => clear(places),
    },
    {
      does: `certificates in ${pki}`,
      run: async () => {
        mkdirSync(pki, { recursive: true, mode: 0o700 });
        await makePki(pki);
        for (const node of [REAL_NODE, ...PROCESS_NODES]) await makeNodeCredentials(pki, node);
        symlinkSync('pki/admin.kubeconfig', places.kubeconfig);
      },
      undo: () => rmSync(pki, { recursive: true, force: true }),
    },
    {
      does: `links to the programs in ${bin}`,
      run: () => {
        mkdirSync(bin, { recursive: true });
        for (const link of programs) symlinkSync(program, join(bin, link));
      },
    },
    {
      does: 'make namespaces for mounts, network, processes, IPC and host name',
      shows: [`${shown(sandboxCommand(program, name))} &`],
      run: () => startSandbox(places, program),
      undo: () => clear(places, { keepLogs: true }),
    },
    {
      does: 'start the cluster inside of them',
      run: async () => {
        const init = findInit(name);
        if (init === undefined) throw new Error('the init process of the namespaces has ended');
        const flags = ['--name', name, ...(kubelet ? [] : ['--without-kubelet'])];
        const argv = inside(init, [process.execPath, join(root, 'dist/real.mjs'), 'inside', ...flags]);
        await $({ signal: interrupt, stdio: ['ignore', 'inherit', 'pipe'] })`${argv}`;
      },
    },
  ];
}

function tellHowToUse({ kubeconfig, name }: Places, say: Say): void {
  const flag = name === 'kubernetes' ? '' : ` --name ${name}`;
  say(`kubeconfig: ${kubeconfig} (its API server can be reached in the cluster's own network only)`);
  say(`  npx zx scripts/real/in-cluster-net${flag} kubectl get pods -A`);
  say(`  npx zx scripts/real/in-cluster-net${flag} bash      # KUBECONFIG and kubectl are set`);
  say(`  npx zx scripts/real/kubernetes-down${flag}`);
}
