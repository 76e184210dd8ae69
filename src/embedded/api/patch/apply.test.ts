import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../../cluster/rest.ts';
import { testServer } from '../test-support.ts';
import type { TestServer } from '../test-support.ts';

let server: TestServer;
before(async () => (server = await testServer()));
after(() => server.close());

const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/d';

const apply = (path: string, manager: string, body: object, query = '') =>
  server.client.request('PATCH', `${path}?fieldManager=${manager}${query}`, {
    body,
    contentType: 'application/apply-patch+yaml',
  });

const deployment = (containers: object[], extra: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
    ...extra,
  },
});

const containersOf = (object: KubeObject) =>
  (object['spec'] as { template: { spec: { containers: { name: string; image: string; env?: unknown }[] } } }).template
    .spec.containers;

test('an apply creates, merges lists by key, and takes back what it no longer wants', async () => {
  const env = [{ name: 'E', value: '1' }];
  const created = await apply(
    DEPLOYMENT,
    'one',
    deployment([
      { name: 'm', image: 'i', env },
      { name: 'n', image: 'i' },
    ]),
  );
  assert.deepEqual(
    containersOf(created).map((c) => c.name),
    ['m', 'n'],
  );
  await server.client.patch(DEPLOYMENT, { metadata: { labels: { by: 'hand' } } });
  const applied = await apply(DEPLOYMENT, 'one', deployment([{ name: 'm', image: 'j' }]));
  assert.deepEqual(
    containersOf(applied).map((c) => [c.name, c.image, c.env]),
    [['m', 'j', undefined]],
  );
  assert.deepEqual(applied.metadata.labels, { by: 'hand' });
  assert.equal(applied.metadata.generation, 2);
  const again = await apply(DEPLOYMENT, 'one', deployment([{ name: 'm', image: 'j' }]));
  assert.equal(again.metadata.resourceVersion, applied.metadata.resourceVersion);
});

test('another manager conflicts over a value, not over what it adds', async () => {
  const change = deployment([{ name: 'm', image: 'k' }]);
  await assert.rejects(apply(DEPLOYMENT, 'two', change), (error: Error & { status: number; reason: string }) => {
    assert.deepEqual([error.status, error.reason], [409, 'Conflict']);
    assert.match(
      error.message,
      /Apply failed with 1 conflict: conflict with "one": \.spec\.template\.spec\.containers\[name="m"\]\.image/,
    );
    return true;
  });
  const added = await apply(DEPLOYMENT, 'two', { ...deployment([{ name: 'm', image: 'j' }], { replicas: 3 }) });
  assert.equal((added['spec'] as { replicas: number }).replicas, 3);
  const forced = await apply(DEPLOYMENT, 'two', change, '&force=true');
  assert.equal(containersOf(forced)[0]?.image, 'k');
});

test('an apply without a manager, or to the status of nothing, is refused', async () => {
  const bare = server.client.request('PATCH', DEPLOYMENT, { body: {}, contentType: 'application/apply-patch+yaml' });
  await assert.rejects(bare, { status: 422 });
  await assert.rejects(apply('/apis/apps/v1/namespaces/default/deployments/none/status', 'one', { status: {} }), {
    status: 404,
  });
});

test('an object under a key of a free map goes whole with the last who wants it', async () => {
  const kind = { group: 'example.com', scope: 'Namespaced', names: { kind: 'Record', plural: 'records' } };
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  };
  await server.client.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'records.example.com' },
    spec: { ...kind, versions: [{ name: 'v1', served: true, storage: true, schema }] },
  });
  const path = '/apis/example.com/v1/namespaces/default/records/r';
  const write = (manager: string, endpoints: object) => {
    const spec = { data: { endpoints, cards: {} } };
    return apply(
      path,
      manager,
      { apiVersion: 'example.com/v1', kind: 'Record', metadata: { name: 'r' }, spec },
      '&force=true',
    );
  };
  await write('one', { a: { id: 1, at: { port: 2 } }, b: { id: 2 } });
  assert.deepEqual((await write('one', { b: { id: 2 } }))['spec'], {
    data: { endpoints: { b: { id: 2 } }, cards: {} },
  });
  await write('two', { b: { id: 2 } });
  assert.deepEqual((await write('one', {}))['spec'], { data: { endpoints: { b: { id: 2 } }, cards: {} } });
  assert.deepEqual((await write('two', {}))['spec'], { data: { endpoints: {}, cards: {} } });
});
