import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readKubeconfig } from '../src/cluster/kubeconfig.ts';
import { isStatus } from '../src/cluster/errors.ts';
import { KubeClient, type KubeObject } from '../src/cluster/rest.ts';
import { imageRegistry } from '../src/doubles/images.ts';
import { startCluster, type EmbeddedCluster } from '../src/embedded/cluster.ts';
import { collectionFor } from '../src/embedded/controllers/kinds.ts';
import { createDefinitions, installDefinitions } from '../src/systems/gpustack/install.ts';
import { dynamoDefinitions } from '../src/systems/gpustack/manifests.ts';
import { bundle, isBuilt } from './build.mjs';
import { distFolder } from './dist-folder.ts';
import { appliedFolders, kustomized } from './testing/kustomize.ts';

let cluster: EmbeddedCluster;
let client: KubeClient;

before(async () => {
  if (!isBuilt()) await bundle();
  cluster = await startCluster({ timeScale: 10, programs: imageRegistry(distFolder()) });
  client = new KubeClient(readKubeconfig(cluster.kubeconfig));
  await installDefinitions(client);
  await createDefinitions(client, dynamoDefinitions());
});
after(async () => {
  client.close();
  await cluster.stop();
});

const create = async (object: KubeObject, query = '') =>
  client.create(`${await collectionFor(client, object)}${query}`, object);

/** Asks the API server as `kubectl apply --dry-run=server` does. */
const tried = (object: KubeObject) => create(object, '?dryRun=All&fieldValidation=Strict');

test('the API server would take every manifest, and stores none of them meanwhile', async () => {
  for (const folder of appliedFolders) {
    for (const object of kustomized(folder)) {
      // What is in a namespace is refused where that is missing.
      if (object.kind === 'Namespace') await create(object);
      else await tried(object).catch((error: Error) => assert.fail(`${folder}: ${error.message}`));
    }
  }
  const stored = await client.list('/apis/worker.gpustack.ai/v1alpha1/namespaces/default/modeldeployments');
  assert.deepEqual(stored, []);
});

test('a field that no schema has is refused: the dry run looks at them', async () => {
  const [deployment] = kustomized('models/double') as (KubeObject & { spec: Record<string, unknown> })[];
  const [plugin] = kustomized('nvidia') as (KubeObject & { spec: Record<string, unknown> })[];
  for (const object of [deployment, plugin]) {
    assert.ok(object);
    object.spec['replica'] = 1;
    await assert.rejects(tried(object), (error) => isStatus(error, 400) && /replica/.test((error as Error).message));
  }
});

/** Looks until a fact holds; says what was seen last where it does not. */
async function fact(look: () => Promise<string | undefined>, ms = 120_000): Promise<void> {
  for (const end = performance.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const missing = await look();
    if (missing === undefined) return;
    assert.ok(performance.now() < end, missing);
  }
}

test('all of it on doubles becomes ready, and every router leads to an engine', async () => {
  const [node] = await client.list('/api/v1/nodes');
  const status = { capacity: { 'nvidia.com/gpu': '64' }, allocatable: { 'nvidia.com/gpu': '64' } };
  await client.patch(`/api/v1/nodes/${node?.metadata.name}/status`, { status });
  for (const folder of ['operator', 'engines/double', 'routers', 'models/double', 'graphs/double'])
    for (const object of kustomized(folder)) if (object.kind !== 'Namespace') await create(object);

  type Observed = KubeObject & { status?: { phase?: string; availableReplicas?: number }; spec: { replicas?: number } };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  await fact(async () => {
    const models = await client.list<Observed>('/apis/worker.gpustack.ai/v1alpha1/namespaces/default/modeldeployments');
    const late = models.filter((one) => one.status?.phase !== 'Ready');
    const few = (await client.list<Observed>(deployments)).filter(
      ({ status, spec }) => (status?.availableReplicas ?? 0) < (spec.replicas ?? 1),
    );
    // Seven routers of ModelDeployments and three of ours, two engines, two components of the graph and its operator.
    const all = (await client.list(deployments)).length;
    const names = [...late, ...few].map((one) => `${one.kind ?? ''} ${one.metadata.name}`);
    return names.length === 0 && all === 15 ? undefined : `${all} Deployments; not ready: ${names.join(', ')}`;
  });
  for (const router of ['vllm-router', 'llm-d-router', 'sglang-gateway']) {
    const service = await client.get<KubeObject & { spec: { clusterIP: string } }>(
      `/api/v1/namespaces/default/services/${router}`,
    );
    await fact(() => ask(`http://${service.spec.clusterIP}:8081/v1/completions`), 30_000);
  }
});

async function ask(url: string): Promise<string | undefined> {
  const body = JSON.stringify({ model: 'quiesce/tiny', prompt: 'Count.', max_tokens: 2, stream: true });
  try {
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const text = await answer.text();
    return answer.ok && /data: \[DONE\]/.test(text) ? undefined : `${url}: ${answer.status} ${text}`;
  } catch (error) {
    return `${url}: ${(error as Error).message}`;
  }
}
