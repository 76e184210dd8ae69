import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { KubeClient } from '../../src/cluster/rest.ts';
import { TimeScale } from '../../src/time/scale.ts';
import type { Cluster } from './lab.ts';

/** The image of the embedded cluster; its commands are the host's, and a small server in place of busybox's httpd. */
const IMAGE = 'quiesce/parity:1';

const root = fileURLToPath(new URL('../..', import.meta.url));
const commands = ['sh', 'sleep', 'cat', 'echo', 'env', 'true', 'false', 'touch', 'rm', 'ls', 'head', 'seq', 'printf'];

/** Starts an embedded cluster in a process of its own, in real time unless `factor` says otherwise. */
export async function embeddedCluster(factor: number): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-parity-'));
  const images = join(folder, 'images.json');
  const programs = Object.fromEntries(commands.map((name) => [name, { file: `/usr/bin/${name}`, args: [] }]));
  const httpd = { file: process.execPath, args: [join(root, 'scripts/parity/httpd.mjs')] };
  writeFileSync(images, JSON.stringify({ [IMAGE]: { commands: { ...programs, httpd } } }));
  const options = ['--tied', '--time-scale', String(factor), '--images', images];
  const child = spawn(process.execPath, [join(root, 'dist/cluster.mjs'), ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`the embedded cluster ended with ${code} before it was ready`)));
  });
  const { kubeconfig } = JSON.parse(line) as { kubeconfig: string };
  return connected('embedded', new KubeClient(readKubeconfig(kubeconfig)), IMAGE, new TimeScale(factor), async () => {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
}

/** A cluster that is there: its first Node is the one that the Pods run on. */
export function realCluster(kubeconfig: string, context: string | undefined, image: string): Promise<Cluster> {
  const client = new KubeClient(readKubeconfig(kubeconfig, context));
  return connected('real', client, image, new TimeScale(1), () => Promise.resolve());
}

async function connected(
  name: Cluster['name'],
  client: KubeClient,
  image: string,
  scale: TimeScale,
  stop: () => Promise<void>,
): Promise<Cluster> {
  const [node, ...others] = await client.list('/api/v1/nodes');
  if (!node || others.length > 0) {
    throw new Error(
      `the ${name} cluster has ${node ? others.length + 1 : 0} Nodes: the suite compares clusters of one`,
    );
  }
  const { gitVersion } = await client.get<{ gitVersion: string }>('/version');
  return {
    name,
    client,
    image,
    node: node.metadata.name,
    scale,
    version: gitVersion,
    stop: async () => {
      client.close();
      await stop();
    },
  };
}
