import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { network } from './network.ts';
import type { Places } from './places.ts';
import { root } from './root.ts';

/** A command line to start in the cluster's network, and its environment. */
export interface InNetwork {
  prefix: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** `quiesce node` for this cluster: the process kubelet, with every authority that it needs. */
const nodeArgv = ({ kubeconfig, pki }: Places): string[] => [
  ...[process.execPath, join(root, 'scripts/bin.mjs'), 'node', '--kubeconfig', kubeconfig],
  ...['--ca-cert', join(pki, 'ca.crt'), '--ca-key', join(pki, 'ca.key')],
  ...['--address', network.node, '--pod-range', network.processPods],
];

/**
 * Serves Nodes with the process kubelet while `work` runs, and ends it afterwards, with all that runs on it. What the kubelet
 * says goes to standard error. @throws Error where it ended before it was ready
 */
export async function withProcessNode<T>(
  places: Places,
  { prefix, env }: InNetwork,
  work: () => Promise<T>,
): Promise<T> {
  const [file = '', ...args] = [...prefix, ...nodeArgv(places)];
  const node = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const ended = once(node, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: node.stdout }).on('line', (line) => {
      if (line.includes(' is ready')) resolve();
    });
  });
  try {
    await Promise.race([
      ready,
      ended.then(([code, signal]) => {
        throw new Error(`the process kubelet ended with ${signal ?? `exit code ${code}`} before its Node was ready`);
      }),
    ]);
    return await work();
  } finally {
    node.kill('SIGTERM');
    await ended;
  }
}
