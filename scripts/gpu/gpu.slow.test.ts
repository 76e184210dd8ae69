import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster, type EmbeddedCluster } from '../../src/embedded/cluster.ts';
import { imageRegistry } from '../../src/doubles/images.ts';
import { script } from '../real/testing/script.ts';

describe('the scripts for GPU clusters', () => {
  // A PATH with what the scripts themselves run on, and none of Docker, kind, Helm and kubectl.
  const path = mkdtempSync(join(tmpdir(), 'quiesce-path-'));
  for (const name of ['bash', 'sh', 'env']) symlinkSync(`/bin/${name}`, join(path, name));
  symlinkSync(process.execPath, join(path, 'node'));
  after(() => rmSync(path, { recursive: true }));
  const bare = (name: string, ...args: string[]) => script(`gpu/${name}`, args, { PATH: path }).ended;

  test('a dry run prints every step and needs nothing', async () => {
    for (const [name, flags, last] of [
      ['kind-up', [], /nvkind cluster create --name quiesce[^]*kubectl --context kind-quiesce wait nodes/],
      ['kind-up', ['--without-gpu'], /kind create cluster --name quiesce/],
      ['cloud', ['--kubeconfig', '/nowhere'], /GET \/version\n[^]*GET \/api\/v1\/nodes/],
      ['operator-install', [], /helm upgrade --install gpustack-operator .*--version 0\.9\.2 /],
      ['operator-install', ['--double'], /kubectl apply -k .*manifests/],
    ] as const) {
      const { code, output } = await bare(name, ...flags, '--dry-run');
      assert.equal(code, 0, output);
      assert.match(output, /^would check: /);
      assert.match(output, last);
    }
  });

  test('all that is missing is told at once, each with what to do, and nothing was begun', async () => {
    const { code, output } = await bare('kind-up');
    assert.equal(code, 3, output);
    for (const missing of [
      /install Docker/,
      /install kind/,
      /install kubectl/,
      /no NVIDIA GPU/,
      /install nvkind/,
      /install Helm/,
    ])
      assert.match(output, missing);
    assert.doesNotMatch(output, /have the cluster/);
    const operator = await bare('operator-install');
    assert.equal(operator.code, 3);
    assert.match(operator.output, /kubectl get --raw=\/readyz failed/);
  });

  test('usage is checked at the door', async () => {
    const { code, output } = await bare('cloud', '--gpus', '0');
    assert.equal(code, 64, output);
    assert.match(output, /expected a whole number from 1 on/);
  });

  describe('cloud', () => {
    let cluster: EmbeddedCluster;
    before(async () => {
      cluster = await startCluster({ timeScale: 5, programs: imageRegistry('/none') });
    });
    after(() => cluster.stop());

    test('tells what a cluster lacks', async () => {
      const { code, output } = await bare('cloud', '--kubeconfig', cluster.kubeconfig, '--gpus', '100000');
      assert.equal(code, 3, output);
      assert.match(output, /Nodes are ready and have \d+ nvidia\.com\/gpu together, expected 100000/);
      assert.doesNotMatch(output, /the API server is/, 'its version is new enough');
    });

    test('tells that no cluster answers', async () => {
      const { code, output } = await bare('cloud', '--kubeconfig', '/nowhere/config');
      assert.equal(code, 3, output);
      assert.match(output, /\/nowhere\/config/);
    });
  });
});
