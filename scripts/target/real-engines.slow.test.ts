import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ClusterProcess } from '../../fixtures/cluster-process.ts';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { collectionPath } from '../../src/cluster/paths.ts';
import { KubeClient } from '../../src/cluster/rest.ts';
import { readBundle } from '../../src/history/bundle.ts';
import { installDefinitions } from '../../src/systems/gpustack/install.ts';
import { manifestsFolder, readKustomization } from '../../src/systems/gpustack/manifests.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { bundle, isBuilt } from '../build.mjs';
import { exitCodes } from '../exit-codes.ts';
import { quiesce, scratch } from '../testing/cli.ts';

let cluster: ClusterProcess;

/** A cluster whose operator is there already, as one with GPUs has it. */
before(async () => {
  if (!isBuilt()) await bundle();
  cluster = await ClusterProcess.start({ timeScale: 5 });
  const client = new KubeClient(readKubeconfig(cluster.address.kubeconfig));
  await installDefinitions(client);
  for (const object of readKustomization(join(manifestsFolder(), 'operator')))
    await client.create(collectionPath(object), object);
  client.close();
});
after(() => cluster.stop());

const run = async (out: string, ...selection: string[]) => {
  const target = ['--target', 'kubernetes', '--kubeconfig', cluster.address.kubeconfig, '--context', 'quiesce'];
  const ended = await quiesce([
    ...['run', ...selection, ...target, '--model', 'some/model', '--ready', '90s'],
    ...['--until-decided', '3', '--out', out, '--json'],
  ]);
  const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as { verdicts: Verdict[] }[];
  return { ...ended, verdicts: results.flatMap(({ verdicts }) => verdicts) };
};

test('engines that are told nothing, behind the operator that is there: their own pace makes the load', async (t) => {
  const out = join(scratch(t), 'out');
  const { code, err, verdicts } = await run(out, 'delete-drains', 'busy-flush');
  assert.equal(code, exitCodes.pass, err + JSON.stringify(verdicts.filter(({ outcome }) => outcome !== 'pass')));
  assert.match(err, /abilities: engines, kubernetes/);
  const { manifest, events } = readBundle(join(out, 'bundles', 'delete-drains'));
  assert.equal(manifest.versions['model'], 'some/model');
  const told = events.filter(({ kind }) => kind === 'request.planned').map(({ data }) => data as { group: string });
  assert.equal(told[0]?.group, 'pace', 'the pace is measured before anything else is sent');
  const pods = events.filter(({ kind, subject }) => kind === 'object.added' && subject.startsWith('Pod/'));
  assert.ok(pods.length > 0);
  assert.doesNotMatch(JSON.stringify(pods), /QUIESCE_/, 'nothing that only a double reads');
  assert.ok(!pods.some(({ subject }) => subject.includes('gpustack-operator')), 'no operator of ours');
});

test('what only a double can do is unsupported, and the reason says what', async (t) => {
  const { verdicts } = await run(join(scratch(t), 'out'), 'busy-silence');
  assert.ok(verdicts.length > 0);
  for (const { outcome, findings } of verdicts) {
    assert.equal(outcome, 'unsupported');
    assert.match(findings[0]?.seen ?? '', /role serve of chat has an engine that behaves as told \(abort: silence\)/);
  }
});

test('what is planned for real engines is what can be tried with them', async () => {
  const { out } = await quiesce(['plan', '--real-engines', '--json']);
  const { plan } = JSON.parse(out) as { plan: { scenario: string }[] };
  const planned = plan.map(({ scenario }) => scenario);
  assert.ok(planned.includes('delete-drains'));
  assert.deepEqual(
    planned.filter((id) => ['busy-silence', 'preemption-drains', 'dynamo-worker-leaves'].includes(id)),
    [],
  );
  const none = await quiesce(['plan', 'busy-silence', '--real-engines']);
  assert.equal(none.code, exitCodes.usage);
  assert.match(none.err, /none of these scenarios can be tried so/);
});
