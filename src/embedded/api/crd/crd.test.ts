import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../../cluster/rest.ts';
import { FAULTS_ANNOTATION, SCHEMA_PATCH_ANNOTATION } from '../../environment.ts';
import { testServer } from '../test-support.ts';
import type { TestServer } from '../test-support.ts';
import { CRDS, DEPLOYMENTS, NAME, definition, deployment } from './crd.testing.ts';

let server: TestServer;
before(async () => {
  server = await testServer();
  await server.client.create(CRDS, definition);
});
after(() => server.close());

type Refusal = Error & { status: number; reason: string; body: { message: string; details: Record<string, unknown> } };
const grace = (seconds: unknown) => ({ name: 'a', terminationGracePeriodSeconds: seconds });

test('a definition is established at once, and its kinds are served and discovered', async () => {
  const crd = await server.client.get<KubeObject>(`${CRDS}/${NAME}`);
  const { conditions, acceptedNames } = crd['status'] as {
    conditions: { type: string; status: string }[];
    acceptedNames: object;
  };
  assert.deepEqual(
    conditions.map((c) => [c.type, c.status]),
    [
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ],
  );
  assert.deepEqual(acceptedNames, {
    ...definition.spec.names,
    singular: 'modeldeployment',
    listKind: 'ModelDeploymentList',
  });
  const group = await server.client.get<{ versions: { version: string }[] }>('/apis/worker.gpustack.ai');
  assert.deepEqual(
    group.versions.map((v) => v.version),
    ['v1alpha1', 'v1'],
  );
});

test('the bounds of the grace are refused in the words of Kubernetes', async () => {
  await assert.rejects(server.client.create(DEPLOYMENTS, deployment('x', [grace(14)])), (error: Refusal) => {
    assert.equal(
      error.body.message,
      'ModelDeployment.worker.gpustack.ai "x" is invalid: spec.roles[0].terminationGracePeriodSeconds: Invalid value: 14: ' +
        'spec.roles[0].terminationGracePeriodSeconds in body should be greater than or equal to 15',
    );
    assert.deepEqual([error.status, error.reason], [422, 'Invalid']);
    assert.deepEqual(error.body.details, {
      name: 'x',
      group: 'worker.gpustack.ai',
      kind: 'ModelDeployment',
      causes: [
        {
          reason: 'FieldValueInvalid',
          message:
            'Invalid value: 14: spec.roles[0].terminationGracePeriodSeconds in body should be greater than or equal to 15',
          field: 'spec.roles[0].terminationGracePeriodSeconds',
        },
      ],
    });
    return true;
  });
  const above = server.client.create(DEPLOYMENTS, deployment('x', [grace(3601)]));
  await assert.rejects(above, /should be less than or equal to 3600/);
  for (const edge of [15, 3600]) await server.client.create(DEPLOYMENTS, deployment(`edge-${edge}`, [grace(edge)]));
});

test('what a schema forbids is refused', async () => {
  const cases: [object[], RegExp][] = [
    [[], /spec.roles: Invalid value: 0: spec.roles in body should have at least 1 items/],
    [[{}], /spec.roles\[0\].name: Required value/],
    [[{ name: 'A' }], /spec.roles\[0\].name in body should match '\^\[a-z\]\+\$'/],
    [[{ name: 'abcdef' }], /spec.roles\[0\].name: Too long: may not be more than 5 bytes/],
    [
      [{ name: 'a', kind: 'Other' }],
      /kind: Unsupported value: "Other": supported values: "Server", "Prefill", "Decode"/,
    ],
    [[grace('30')], /must be of type integer: "string"/],
    [[grace(30.5)], /must be of type integer: "number"/],
    [[{ name: 'a' }, { name: 'a' }], /spec.roles\[1\]: Duplicate value: \{"name":"a"\}/],
    [[{ name: 'a', port: true }], /must be of type integer,string: "boolean"/],
    [[{ name: 'a', labels: { x: 1 } }], /spec.roles\[0\].labels.x in body must be of type string: "integer"/],
    [[{ name: 'a', args: ['x', 'x'] }], /spec.roles\[0\].args\[1\]: Duplicate value: "x"/],
    [
      [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }],
      /spec.roles: Too many: 4: must have at most 3 items/,
    ],
  ];
  for (const [roles, text] of cases)
    await assert.rejects(server.client.create(DEPLOYMENTS, deployment('y', roles)), text);
});

test('defaults are filled, unknown fields pruned, both versions show one object', async () => {
  const sent = deployment('shape', [{ name: 'a', bogus: 1, free: { kept: [1] }, port: 'http', ratio: null }]);
  const { spec } = await server.client.create<KubeObject & typeof sent>(DEPLOYMENTS, sent);
  assert.deepEqual(spec.roles, [
    { name: 'a', free: { kept: [1] }, port: 'http', ratio: null, kind: 'Server', replicas: 1 },
  ]);
  await assert.rejects(
    server.client.create(`${DEPLOYMENTS}?fieldValidation=Strict`, { ...sent, metadata: { name: 'strict' } }),
    /strict decoding error: unknown field "spec.roles\[0\].bogus"/,
  );
  const other = await server.client.get<KubeObject>(`${DEPLOYMENTS.replace('v1alpha1', 'v1')}/shape`);
  assert.equal(other.apiVersion, 'worker.gpustack.ai/v1');
  assert.deepEqual(other['spec'], spec);
});

test('spec and status are written apart, and only spec counts the generation', async () => {
  const { client } = server;
  const created = await client.create<KubeObject>(DEPLOYMENTS, {
    ...deployment('parts', [{ name: 'a' }]),
    status: { phase: 'X' },
  });
  assert.equal(created['status'], undefined);
  const path = `${DEPLOYMENTS}/parts`;
  const status = await client.patch<KubeObject>(`${path}/status`, { status: { phase: 'Ready' }, spec: { roles: [] } });
  assert.deepEqual([status['status'], status['spec']], [{ phase: 'Ready' }, created['spec']]);
  assert.equal(status.metadata.generation, 1);
  const changed = await client.patch<KubeObject>(path, { status: null, spec: { roles: [{ name: 'b' }] } });
  assert.deepEqual(changed['status'], { phase: 'Ready' });
  assert.equal(changed.metadata.generation, 2);
  const { resourceVersion: _, ...metadata } = changed.metadata;
  await assert.rejects(client.replace(path, { ...changed, metadata }), /must be specified for an update/);
});

test('an annotation of the Namespace changes the schema there and nowhere else', async () => {
  const { client } = server;
  const at = '/properties/spec/properties/roles/items/properties/terminationGracePeriodSeconds/minimum';
  const annotations = {
    [SCHEMA_PATCH_ANNOTATION]: JSON.stringify({ [NAME]: [{ op: 'replace', path: at, value: 14 }] }),
  };
  await client.create('/api/v1/namespaces', { metadata: { name: 'loose', annotations } });
  const loose = DEPLOYMENTS.replace('default', 'loose');
  await client.create(loose, deployment('x', [grace(14)]));
  await assert.rejects(client.create(loose, deployment('y', [grace(13)])), /greater than or equal to 14/);
  await assert.rejects(client.create(DEPLOYMENTS, deployment('x', [grace(14)])), { status: 422 });
});

test('the fault refused-write-stored stores what it refuses', async () => {
  const { client } = server;
  const annotations = { [FAULTS_ANNOTATION]: 'hook-missing,refused-write-stored' };
  await client.create('/api/v1/namespaces', { metadata: { name: 'faulty', annotations } });
  const path = DEPLOYMENTS.replace('default', 'faulty');
  const { metadata } = await client.create<KubeObject>(path, deployment('x', [grace(30)]));
  await assert.rejects(client.patch(`${path}/x`, { spec: { roles: [grace(14)] } }), { status: 422 });
  const stored = await client.get<KubeObject>(`${path}/x`);
  assert.notEqual(stored.metadata.resourceVersion, metadata.resourceVersion);
  assert.match(JSON.stringify(stored['spec']), /"terminationGracePeriodSeconds":14/);
});

test('a definition that is none is refused; with a deleted one its objects and its kind go', async () => {
  const { client } = server;
  const broken = { ...definition, metadata: { name: 'others.worker.gpustack.ai' } };
  await assert.rejects(client.create(CRDS, broken), { status: 422 });
  await assert.rejects(client.create(CRDS, { ...definition, spec: { ...definition.spec, versions: [] } }), {
    status: 422,
  });
  await client.remove(`${CRDS}/${NAME}`);
  await assert.rejects(client.get(DEPLOYMENTS), { status: 404 });
  await client.create(CRDS, definition);
  assert.deepEqual(await client.list(DEPLOYMENTS), []);
});
