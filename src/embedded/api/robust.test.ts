import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { CRDS, DEPLOYMENTS, definition, deployment } from './crd/crd.testing.ts';
import { PODS, TOKEN, podNamed, testServer } from './test-support.ts';
import type { TestServer } from './test-support.ts';

let server: TestServer;
before(async () => {
  server = await testServer();
  await server.client.create(CRDS, definition);
});
after(() => server.close());

const template = { metadata: { labels: { a: 'b' } }, spec: podNamed('x')['spec'] };
const good: [string, object][] = [
  [PODS, podNamed('x')],
  [
    '/api/v1/namespaces/default/services',
    { metadata: { name: 'x' }, spec: { ports: [{ port: 80 }], selector: { a: 'b' } } },
  ],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    { metadata: { name: 'x' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
  ],
  [CRDS, definition],
  [DEPLOYMENTS, deployment('x', [{ name: 'a' }])],
  ['/api/v1/namespaces/default/events', { metadata: { name: 'x' }, involvedObject: { name: 'y' } }],
  [
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    { metadata: { name: 'x' }, addressType: 'IPv4', endpoints: [] },
  ],
  ['/api/v1/nodes', { metadata: { name: 'x' }, status: { capacity: { cpu: 1 } } }],
  ['/apis/policy/v1/namespaces/default/poddisruptionbudgets', { metadata: { name: 'x' }, spec: { minAvailable: 1 } }],
];

/** The object with something else at one of its places. */
function spoiled(value: unknown, place: number, other: unknown): unknown {
  let left = place;
  const walk = (node: unknown): unknown => {
    if (left-- === 0) return other;
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, field]) => [name, walk(field)]));
  };
  return walk(value);
}

test('no body, however wrong, is answered with a 500', async () => {
  const junk = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, [null], {}, [], 'x', -1, [{}], [['x']]));
  const cases = fc.tuple(fc.constantFrom(...good), fc.nat(25), junk);
  await fc.assert(
    fc.asyncProperty(cases, async ([[path, object], place, other]) => {
      const body = spoiled(object, place, other);
      const status = await server.client.create(`${path}?dryRun=All`, body).then(
        () => 201,
        (error: { status: number; message: string }) => {
          assert.ok(error.status >= 400 && error.status < 500, `${error.message} for ${JSON.stringify(body)}`);
          return error.status;
        },
      );
      assert.ok(status < 500);
    }),
    { numRuns: 600 },
  );
});

test('no patch, however wrong, is answered with a 500', async () => {
  await server.client.create(PODS, podNamed('patched'));
  const patch = podNamed('patched');
  const cases = fc.tuple(
    fc.constantFrom('merge', 'strategic', 'json' as const),
    fc.nat(12),
    fc.jsonValue({ maxDepth: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([type, place, other]) => {
      await server.client
        .patch(`${PODS}/patched?dryRun=All`, spoiled(patch, place, other), type as 'merge')
        .catch((error: { status: number; message: string }) => assert.ok(error.status < 500, error.message));
    }),
    { numRuns: 300 },
  );
});

/** Sends raw bytes and answers the status line. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.plainUrl).port), '127.0.0.1', () => socket.end(text));
    let answer = '';
    socket.on('data', (part) => (answer += part.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
  });
}

const head = (line: string, more = '') =>
  `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${TOKEN}\r\n${more}\r\n`;

test('broken URLs, bodies and upgrades are refused, and the server lives on', async () => {
  const json = (body: string) => `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  assert.match(await raw(head('GET /api/v1/namespaces/%zz/pods')), / 400 /);
  assert.match(await raw(head(`POST ${PODS}`, json('{"a":')) + '{"a":'), / 400 /);
  assert.match(await raw(head(`POST ${PODS}`)), / 400 /);
  assert.match(await raw(head('GET /api/v1/pods', 'upgrade: websocket\r\nconnection: upgrade\r\n')), / 404 /);
  assert.match(await raw(head('GET /api/v1/pods?limit=x')), / 400 /);
  assert.match(await raw(head('DELETE /api/v1/namespaces/default/pods/none')), / 404 /);
  await raw('no http at all\r\n\r\n');
  await server.client.get('/healthz');
});

/** An object that is nested `depth` levels deep below `spec.x`. */
const deep = (name: string, depth: number) =>
  `{"metadata":{"name":"${name}"},"spec":{"containers":[{"name":"m","image":"i"}],"x":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`;

test('a body nested beyond all sense is 400, whatever it is for', async () => {
  await server.client.create(PODS, podNamed('deep'));
  const sent = (method: string, path: string, type: string, body: string) =>
    fetch(`${server.plainUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': `application/${type}` },
      body,
    }).then(({ status }) => status);
  for (const depth of [3000, 100_000]) {
    assert.equal(await sent('POST', PODS, 'json', deep('deeper', depth)), 400);
    for (const type of ['merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml']) {
      assert.equal(await sent('PATCH', `${PODS}/deep?fieldManager=x`, type, deep('deep', depth)), 400, type);
    }
  }
  assert.equal(await sent('POST', PODS, 'json', deep('shallow', 100)), 201);
});

test('a JSON patch that doubles the object again and again is refused at once', { timeout: 20_000 }, async () => {
  await server.client.create(PODS, podNamed('copied'));
  const copies = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '/spec', path: `/spec/k${i}` }));
  await assert.rejects(server.client.patch(`${PODS}/copied`, copies, 'json'), { status: 422 });
});

test('a pattern that backtracks without end does not stop the server', { timeout: 20_000 }, async () => {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'string', pattern: '^(a+)+$' } } };
  await server.client.create(CRDS, {
    metadata: { name: 'slows.x.example' },
    spec: {
      group: 'x.example',
      scope: 'Namespaced',
      names: { plural: 'slows', kind: 'Slow' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  const path = '/apis/x.example/v1/namespaces/default/slows';
  await assert.rejects(server.client.create(path, { metadata: { name: 'a' }, spec: `${'a'.repeat(40)}!` }), {
    status: 422,
  });
});
