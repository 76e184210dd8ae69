import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Places } from './places.ts';
import { type InNetwork, withProcessNode } from './process-node.ts';
import { state } from './up.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command in the cluster's network, and in it alone: files and processes are the machine's. KUBECONFIG and PATH are
 * set so that kubectl works. `processNode` serves Nodes with the process kubelet meanwhile. Returns the command's exit code,
 * 128 + n where signal n ended it.
 */
export async function runInNetwork(places: Places, argv: readonly string[], processNode = false): Promise<number> {
  const running = state(places);
  if (!running) throw new Error(`no cluster ${places.name} is up; start it: npx zx scripts/real/kubernetes-up`);
  const network: InNetwork = {
    prefix: ['nsenter', '-t', String(running.init), '-n', '--'],
    env: { ...process.env, KUBECONFIG: places.kubeconfig, PATH: `${places.bin}:${process.env['PATH'] ?? ''}` },
  };
  if (!processNode) return run(network, argv);
  if (running.kubelet)
    throw new Error(
      `the cluster ${places.name} runs with a real kubelet and kube-proxy, which takes the Services' addresses; ` +
        'start another: npx zx scripts/real/kubernetes-up --without-kubelet --name NAME',
    );
  return withProcessNode(places, network, () => run(network, argv));
}

async function run({ prefix, env }: InNetwork, argv: readonly string[]): Promise<number> {
  const [file = '', ...args] = [...prefix, ...argv];
  const child = spawn(file, args, { stdio: 'inherit', env });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
