import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ClusterProcess } from '../../fixtures/cluster-process.ts';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { PROCESS_NODE_LABEL } from '../../src/cluster/process-node.ts';
import { KubeClient } from '../../src/cluster/rest.ts';
import { bundle, isBuilt } from '../build.mjs';
import { exitCodes } from '../exit-codes.ts';
import { processesOf, quiesce, scratch, start } from '../testing/cli.ts';
import { everything, LABEL, leases, makeNeighbours } from './testing/neighbours.ts';

let cluster: ClusterProcess;
let client: KubeClient;
let onCluster: string[];

async function fact(what: string, look: () => Promise<boolean>, ms = 60_000): Promise<void> {
  for (const end = performance.now() + ms; !(await look());) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The garbage collector takes a node's Lease a moment after the node. */
async function asBefore(before: string[]): Promise<void> {
  await fact(
    'the leases of nodes that are gone',
    async () => (await everything(client)).length <= before.length,
    10_000,
  ).catch(
    () => undefined, // told in full below
  );
  assert.deepEqual(await everything(client), before);
}

const ours = async () =>
  (await client.list('/api/v1/namespaces')).filter(
    ({ metadata: { name, labels } }) => name.startsWith('q-') && !labels?.[LABEL]?.startsWith('run-theirs'),
  );

before(async () => {
  if (!isBuilt()) await bundle();
  cluster = await ClusterProcess.start({ timeScale: 10 });
  const { kubeconfig } = cluster.address;
  client = new KubeClient(readKubeconfig(kubeconfig));
  onCluster = ['--kubeconfig', kubeconfig, '--context', 'quiesce'];
  await makeNeighbours(client);
});
after(async () => {
  client.close();
  await cluster.stop();
});

test('a run on a cluster that is there leaves it as it was, neighbours included', async (t) => {
  const before = await everything(client);
  const out = join(scratch(t), 'out');
  const typed = ['run', 'admission', '--target', 'kubernetes', ...onCluster, '--install-crds', '--out', out];
  const { code, err } = await quiesce(typed);
  assert.equal(code, exitCodes.pass, err);
  assert.match(err, /Kubernetes v1\.\d+\.\d+.*abilities: doubles, own-node, faults, dynamo, control-plane-faults/);
  await asBefore(before);
});

test('a run that was killed: swept once its lease has run out, and nothing else', async (t) => {
  const before = await everything(client);
  const temp = scratch(t);
  const out = join(temp, 'out');
  const run = start(['run', 'delete-drains', '--target', 'kubernetes', ...onCluster, '--out', out]);
  await fact('a Pod of the run', async () => {
    const [namespace] = (await ours()).map(({ metadata }) => metadata.name).filter((n) => n.includes('delete-drains'));
    return namespace !== undefined && (await client.list(`/api/v1/namespaces/${namespace}/pods`)).length > 1;
  });
  const victims = [...processesOf(out).map((line) => Number.parseInt(line, 10)), run.child.pid ?? 0];
  for (const pid of victims) process.kill(pid, 'SIGKILL');
  await run.ended;

  const early = await quiesce(['sweep', ...onCluster]);
  assert.match(early.err, /kept run-\S+: its lease holds/);
  assert.match(early.err, /kept run-theirs-2: a lease in its namespace names another holder/);
  assert.match(early.err, /kept run-theirs-3: what it has is so young/);
  assert.match(early.out, /removed 0 objects of 0 dead runs/);

  const [left] = (await ours()).filter(({ metadata }) => metadata.name.includes('delete-drains'));
  const name = left?.metadata.name ?? '';
  await client.patch(`${leases(name)}/quiesce-run`, { spec: { renewTime: '2020-01-01T00:00:00.000000Z' } });
  const dry = await quiesce(['sweep', ...onCluster, '--dry-run']);
  assert.match(dry.out, new RegExp(`would remove /api/v1/namespaces/${name}\n`));
  const swept = await quiesce(['sweep', ...onCluster]);
  assert.equal(swept.code, exitCodes.pass, swept.err + swept.out);
  assert.match(swept.out, new RegExp(`removing /api/v1/namespaces/${name}\n`));
  assert.match(swept.out, /removed 2 objects of 1 dead runs/);
  await asBefore(before);
});

test('a cluster without our doubles: every scenario is unsupported, with the reason, and nothing is deployed', async (t) => {
  const nodes = await client.list('/api/v1/nodes');
  const [first] = nodes.filter(({ metadata }) => metadata.labels?.[PROCESS_NODE_LABEL]);
  await client.patch(`/api/v1/nodes/${first?.metadata.name}`, {
    metadata: {
      labels: { [PROCESS_NODE_LABEL]: null, 'quiesce.dev/embedded': null },
      annotations: { 'quiesce.dev/time-scale': null },
    },
  });
  const before = await everything(client);
  const typed = [
    'run',
    'one-gauge',
    '--target',
    'kubernetes',
    ...onCluster,
    '--out',
    join(scratch(t), 'out'),
    '--json',
  ];
  const { code, out, err } = await quiesce(typed);
  assert.equal(code, exitCodes.unsupported, 'a run that judged nothing is not green');
  assert.match(err, /time scale 1, .*/);
  const [{ verdicts }] = JSON.parse(out.slice(out.indexOf('[\n'))) as [
    { verdicts: { outcome: string; findings: { seen: string }[] }[] },
  ];
  assert.ok(verdicts.length > 0);
  for (const { outcome, findings } of verdicts) {
    assert.equal(outcome, 'unsupported');
    assert.match(findings[0]?.seen ?? '', /the target lacks "doubles"/);
  }
  assert.deepEqual(await everything(client), before);
});
