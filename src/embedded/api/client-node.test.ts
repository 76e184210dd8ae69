import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { CoreV1Api, CustomObjectsApi, Exec, KubeConfig, Log, PolicyV1Api, Watch } from '@kubernetes/client-node';
import type { V1Pod, V1Status } from '@kubernetes/client-node';
import { CRDS, definition, deployment } from './crd/crd.testing.ts';
import { TOKEN, podNamed, testServer } from './test-support.ts';
import type { TestServer } from './test-support.ts';

let server: TestServer;
const config = new KubeConfig();
before(async () => {
  server = await testServer({
    kubelet: {
      logs: () => Promise.resolve(Readable.from(['first line\n'])),
      kubeletLog: () => Promise.resolve(Readable.from([])),
      exec: () => Promise.resolve({ stdout: Readable.from(['hi']), exit: Promise.resolve(7), kill: () => undefined }),
    },
  });
  config.loadFromOptions({
    clusters: [{ name: 'c', server: server.url, caData: Buffer.from(server.certificate).toString('base64') }],
    users: [{ name: 'u', token: TOKEN }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
});
after(() => server.close());

const namespace = 'default';

test('@kubernetes/client-node: objects, watch, logs, exec, eviction', async () => {
  const core = config.makeApiClient(CoreV1Api);
  const watch = new Watch(config);
  const seen = new Promise<string>((resolve, reject) => {
    const told = (phase: string, pod: V1Pod) => resolve(`${phase} ${pod.metadata?.name}`);
    watch
      .watch('/api/v1/namespaces/default/pods', {}, told, () => reject(new Error('ended')))
      .then(
        (controller) =>
          void seen.then(
            () => controller.abort(),
            () => controller.abort(),
          ),
        reject,
      );
  });
  const pod = await core.createNamespacedPod({
    namespace,
    body: podNamed('p', { nodeName: 'n1' }) as unknown as V1Pod,
  });
  assert.equal(pod.spec?.terminationGracePeriodSeconds, 30);
  assert.equal(await seen, 'ADDED p');
  assert.equal((await core.listPodForAllNamespaces()).items.length, 1);
  const patched = await core.patchNamespacedPod({
    namespace,
    name: 'p',
    body: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }],
  });
  assert.deepEqual(patched.metadata?.labels, { a: 'b' });

  const log = new PassThrough();
  await new Log(config).log(namespace, 'p', 'main', log, { follow: true });
  assert.equal(await new Promise((done) => log.once('data', (part: Buffer) => done(part.toString()))), 'first line\n');

  const out = new PassThrough();
  const status = await new Promise<V1Status>((resolve, reject) => {
    new Exec(config).exec(namespace, 'p', 'main', ['x'], out, null, null, false, resolve).catch(reject);
  });
  assert.equal(status.details?.causes?.[0]?.message, '7');
  assert.equal((out.read() as Buffer).toString(), 'hi');

  const body = { metadata: { name: 'p' }, deleteOptions: { gracePeriodSeconds: 3 } };
  await config.makeApiClient(CoreV1Api).createNamespacedPodEviction({ namespace, name: 'p', body });
  const leaving = await core.readNamespacedPod({ namespace, name: 'p' });
  assert.equal(leaving.metadata?.deletionGracePeriodSeconds, 3);
  assert.deepEqual((await config.makeApiClient(PolicyV1Api).listPodDisruptionBudgetForAllNamespaces()).items, []);
});

test('@kubernetes/client-node: custom objects and refusals', async () => {
  await server.client.create(CRDS, definition);
  const custom = config.makeApiClient(CustomObjectsApi);
  const where = { group: 'worker.gpustack.ai', version: 'v1alpha1', namespace, plural: 'modeldeployments' };
  await custom.createNamespacedCustomObject({ ...where, body: deployment('m', [{ name: 'a' }]) });
  const refused = custom.createNamespacedCustomObject({
    ...where,
    body: deployment('n', [{ name: 'a', terminationGracePeriodSeconds: 14 }]),
  });
  await assert.rejects(refused, (error: { code: number; body: string }) => {
    assert.equal(error.code, 422);
    assert.match(error.body, /should be greater than or equal to 15/);
    return true;
  });
});
