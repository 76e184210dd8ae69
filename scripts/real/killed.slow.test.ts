import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { KubeClient } from '../../src/cluster/rest.ts';
import { installDefinitions } from '../../src/systems/gpustack/install.ts';
import { everything, makeNeighbours, removeNeighbours } from '../target/testing/neighbours.ts';
import { exitCodes } from '../exit-codes.ts';
import { processesOf, quiesce, scratch, start } from '../testing/cli.ts';
import { labCluster, skip } from './testing/lab-cluster.ts';

// What an embedded cluster takes with it when it goes, a real one keeps.

/** How many runs are killed; 20 for a thorough look. */
const KILLS = Number(process.env['QUIESCE_CLUSTER_KILLS'] ?? 2);

/** Milliseconds of the wall within which a run is killed: from before its first object to the middle of its action. */
const WITHIN_MS = 20_000;

/** Milliseconds of the wall that controllers may take to collect what belonged to the dead. */
const COLLECT_MS = 60_000;

test(
  `${KILLS} runs killed at random moments: swept, and the cluster with its neighbours as before`,
  { skip },
  async (t) => {
    const places = labCluster();
    const client = new KubeClient(readKubeconfig(places.kubeconfig));
    t.after(() => client.close());
    await installDefinitions(client);
    await makeNeighbours(client);
    t.after(() => removeNeighbours(client));
    await served(client);
    const before = await everything(client);
    const out = scratch(t);
    for (let i = 0; i < KILLS; i += 1) {
      const typed = ['run', 'delete-drains', '--target', 'kubernetes', '--kubeconfig', places.kubeconfig];
      const run = start([...typed, '--out', join(out, `run-${i}`)]);
      const after = Math.random() * WITHIN_MS;
      await Promise.race([run.ended, new Promise((resolve) => setTimeout(resolve, after))]);
      for (const line of processesOf(join(out, `run-${i}`))) process.kill(Number.parseInt(line, 10), 'SIGKILL');
      const { code, signal } = await run.ended;
      t.diagnostic(`run ${i} killed after ${(after / 1000).toFixed(1)} s: ${code ?? signal}`);
    }
    const swept = await quiesce(['sweep', '--kubeconfig', places.kubeconfig, '--wait']);
    assert.equal(swept.code, exitCodes.pass, swept.err + swept.out);
    t.diagnostic(swept.out.trim().split('\n').at(-1) ?? '');
    assert.deepEqual(await settled(client, before), before);
  },
);

/** What Kubernetes makes in each namespace by itself is there a moment after it. */
async function served(client: KubeClient): Promise<void> {
  const [namespaces, accounts] = ['/api/v1/namespaces', '/api/v1/serviceaccounts'];
  for (const end = performance.now() + COLLECT_MS; performance.now() < end;) {
    const made = (await client.list(accounts)).filter(({ metadata }) => metadata.name === 'default').length;
    if (made === (await client.list(namespaces)).length) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The cluster once it is as before, or as it is when patience ends. */
async function settled(client: KubeClient, before: readonly string[]): Promise<string[]> {
  for (const end = performance.now() + COLLECT_MS; ;) {
    const is = await everything(client);
    if (is.join() === before.join() || performance.now() > end) return is;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
