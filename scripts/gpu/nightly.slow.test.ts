import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ClusterProcess } from '../../fixtures/cluster-process.ts';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { KubeClient } from '../../src/cluster/rest.ts';
import { installDefinitions } from '../../src/systems/gpustack/install.ts';
import { bundle, isBuilt } from '../build.mjs';
import { exitCodes } from '../exit-codes.ts';
import { start, type Running } from '../real/testing/script.ts';
import { LABEL, leases } from '../target/testing/neighbours.ts';
import { scratch } from '../testing/cli.ts';

let cluster: ClusterProcess;
let client: KubeClient;

before(async () => {
  if (!isBuilt()) await bundle();
  cluster = await ClusterProcess.start({ timeScale: 10 });
  client = new KubeClient(readKubeconfig(cluster.address.kubeconfig));
  await installDefinitions(client);
});
after(async () => {
  client.close();
  await cluster.stop();
});

const nightly = (env: Record<string, string>): Running =>
  start(['sh', 'scripts/gpu/nightly.sh'], {
    KUBECONFIG_FILE: cluster.address.kubeconfig,
    CONTEXT: 'quiesce',
    ...env,
  });

/** Settles with what it said, once it has ended with that code. */
async function ends(night: Running, expected: number): Promise<string> {
  const { code, output } = await night.ended;
  assert.equal(code, expected, output);
  return output;
}

const ANOTHER = 'q-of-another';

/** Namespaces that runs of this file have made and not removed; that of another run may be about to go. */
const left = async () =>
  (await client.list('/api/v1/namespaces'))
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith('q-') && name !== ANOTHER);

test('a night: planned, run, judged, and nothing is left', async (t) => {
  const out = join(scratch(t), 'out');
  const night = nightly({ SELECTION: 'admission', BUDGET: '10m', OUT: out });
  await ends(night, exitCodes.pass);
  const [result] = JSON.parse(readFileSync(join(out, 'run/results.json'), 'utf8')) as { verdicts: object[] }[];
  assert.ok((result?.verdicts.length ?? 0) > 0);
  assert.match(readFileSync(join(out, 'preflight.json'), 'utf8'), /"accelerator"/);
  assert.deepEqual(await left(), []);
  const again = nightly({ SELECTION: 'admission', OUT: out });
  await ends(again, exitCodes.usage);
});

test('what the cluster lacks ends it before anything is deployed', async (t) => {
  const night = nightly({ NEED: 'moon', OUT: join(scratch(t), 'out') });
  const output = await ends(night, exitCodes.harnessError);
  assert.match(output, /no answer of preflight has that name/);
  assert.doesNotMatch(output, /== what fits/);
});

test('while another run is alive in the cluster none is begun', async (t) => {
  const name = ANOTHER;
  await client.create('/api/v1/namespaces', { metadata: { name, labels: { [LABEL]: 'run-other-1' } } });
  const spec = () => ({ holderIdentity: 'run-other-1', leaseDurationSeconds: 60, renewTime: stamp() });
  await client.create(leases(name), { metadata: { name: 'quiesce-run' }, spec: spec() });
  const renew = setInterval(() => void client.patch(`${leases(name)}/quiesce-run`, { spec: spec() }), 500);
  t.after(() => client.remove(`/api/v1/namespaces/${name}`));
  t.after(() => clearInterval(renew));
  const night = nightly({ SELECTION: 'admission', OUT: join(scratch(t), 'out') });
  const output = await ends(night, exitCodes.harnessError);
  assert.match(output, /another run is alive in this cluster/);
});

const stamp = () => new Date().toISOString().replace('Z', '000Z');

test('a night that is stopped says so, and leaves nothing', async (t) => {
  const night = nightly({ SELECTION: 'delete-drains', OUT: join(scratch(t), 'out') });
  await night.said(/results in /);
  night.interrupt('SIGTERM');
  const output = await ends(night, exitCodes.terminated);
  assert.match(output, /== what this run left/);
  assert.deepEqual(await left(), []);
});
