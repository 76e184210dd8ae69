import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KubeClient } from '../../cluster/rest.ts';
import type { KubeObject } from '../../cluster/rest.ts';
import { startApiServer } from './server.ts';
import { makeCertificate } from './certificate.ts';
import { PODS, TOKEN, podNamed, testServer } from './test-support.ts';
import type { TestServer } from './test-support.ts';

let server: TestServer;
before(async () => (server = await testServer()));
after(() => server.close());

const refused = (status: number, reason: string, text?: RegExp) => (error: unknown) => {
  const { status: seen, reason: why, message } = error as { status: number; reason: string; message: string };
  assert.deepEqual([seen, why], [status, reason], message);
  if (text) assert.match(message, text);
  return true;
};

test('a Pod is created with defaults, read, listed, changed and deleted', async () => {
  const { client } = server;
  const pod = await client.create<KubeObject>(PODS, podNamed('crud'));
  const spec = pod['spec'] as Record<string, unknown>;
  assert.equal(spec['restartPolicy'], 'Always');
  assert.equal(spec['terminationGracePeriodSeconds'], 30);
  assert.equal((spec['containers'] as { imagePullPolicy: string }[])[0]?.imagePullPolicy, 'IfNotPresent');
  assert.deepEqual(pod['status'], { phase: 'Pending', qosClass: 'BestEffort' });
  assert.match(pod.metadata.uid ?? '', /^[0-9a-f-]{36}$/);
  assert.deepEqual(await client.get(`${PODS}/crud`), pod);
  assert.deepEqual(
    (await client.list(PODS)).map((p) => p.metadata.name),
    ['crud'],
  );
  const labelled = await client.patch<KubeObject>(`${PODS}/crud`, { metadata: { labels: { a: 'b' } } });
  assert.deepEqual(labelled.metadata.labels, { a: 'b' });
  assert.equal(labelled.metadata.generation, 1);
  await assert.rejects(client.replace(`${PODS}/crud`, pod), refused(409, 'Conflict', /the object has been modified/));
  await assert.rejects(
    client.create(PODS, podNamed('crud')),
    refused(409, 'AlreadyExists', /pods "crud" already exists/),
  );
  await client.remove(`${PODS}/crud`);
  await assert.rejects(client.get(`${PODS}/crud`), refused(404, 'NotFound', /pods "crud" not found/));
});

test('a change that changes nothing gives no new version', async () => {
  const { client } = server;
  const pod = await client.create<KubeObject>(PODS, podNamed('same', {}, { labels: { a: 'b' } }));
  const again = await client.patch<KubeObject>(`${PODS}/same`, { metadata: { labels: { a: 'b' } } });
  assert.equal(again.metadata.resourceVersion, pod.metadata.resourceVersion);
  await client.remove(`${PODS}/same`);
});

test('the token is asked for on both listeners, health and version are open', async () => {
  for (const url of [server.plainUrl, server.url]) {
    const anonymous = new KubeClient({ server: url, skipTlsVerify: true });
    const wrong = new KubeClient({ server: url, token: 'other', skipTlsVerify: true });
    const trusted = new KubeClient({ server: url, token: TOKEN, ca: Buffer.from(server.certificate) });
    await assert.rejects(anonymous.get('/api/v1/pods'), refused(401, 'Unauthorized'));
    await assert.rejects(wrong.get('/apis'), refused(401, 'Unauthorized'));
    await trusted.get('/api/v1/pods');
    for (const path of ['/healthz', '/readyz', '/livez', '/version']) await anonymous.get(path);
    for (const client of [anonymous, wrong, trusted]) client.close();
  }
});

test('unknown paths, methods, bodies and media are refused with a Status', async () => {
  const { client } = server;
  await assert.rejects(client.get('/api/v1/nothings'), refused(404, 'NotFound'));
  await assert.rejects(client.get('/apis/no.such.group/v1/things'), refused(404, 'NotFound'));
  await assert.rejects(client.get('/elsewhere'), refused(404, 'NotFound'));
  await assert.rejects(client.request('PUT', PODS, { body: {} }), refused(405, 'MethodNotAllowed'));
  await assert.rejects(client.request('POST', PODS, { body: [1] }), refused(400, 'BadRequest'));
  const protobuf = { body: {}, contentType: 'application/vnd.kubernetes.protobuf' };
  await assert.rejects(client.request('POST', PODS, protobuf), refused(400, 'BadRequest'));
  const other = { body: {}, contentType: 'text/plain' };
  await assert.rejects(client.request('POST', PODS, other), refused(415, 'UnsupportedMediaType'));
  const huge = podNamed('huge', {}, { annotations: { a: 'x'.repeat(4 * 1024 * 1024) } });
  await assert.rejects(client.create(PODS, huge), refused(413, 'RequestEntityTooLarge'));
  await assert.rejects(client.create(PODS, { kind: 'Service', metadata: { name: 'x' } }), refused(400, 'BadRequest'));
  await assert.rejects(client.get(`${PODS}?labelSelector=a%20b%20c`), refused(400, 'BadRequest'));
  await assert.rejects(
    client.get(`${PODS}?fieldSelector=spec.none=1`),
    refused(400, 'BadRequest', /field label not supported: spec.none/),
  );
});

test('unknown fields of built-in kinds are dropped or refused, wrong types are refused', async () => {
  const { client } = server;
  const typo = podNamed('typo', { nodename: 'n1' });
  const pod = await client.create<KubeObject>(`${PODS}?dryRun=All`, typo);
  assert.equal((pod['spec'] as Record<string, unknown>)['nodename'], undefined);
  const strict = client.create(`${PODS}?fieldValidation=Strict`, typo);
  await assert.rejects(strict, refused(400, 'BadRequest', /strict decoding error: unknown field "spec.nodename"/));
  const wrong = podNamed('wrong', { terminationGracePeriodSeconds: '30' });
  await assert.rejects(client.create(PODS, wrong), refused(400, 'BadRequest', /spec.terminationGracePeriodSeconds/));
});

test('a missing namespace is 404', async () => {
  const path = '/api/v1/namespaces/absent/pods';
  await assert.rejects(
    server.client.create(path, podNamed('x')),
    refused(404, 'NotFound', /namespaces "absent" not found/),
  );
});

test('an invalid Pod is 422 with its causes', async () => {
  const broken = podNamed('Bad_Name', { containers: [{ name: 'main' }, { name: 'main', image: 'i' }] });
  await assert.rejects(
    server.client.create(PODS, broken),
    (error: { status: number; body: { details: { causes: { field: string }[] } } }) => {
      assert.equal(error.status, 422);
      const fields = error.body.details.causes.map((c) => c.field);
      assert.deepEqual(fields, ['metadata.name', 'spec.containers[1].name', 'spec.containers[0].image']);
      return true;
    },
  );
});

test('a taken port is one clear error', async () => {
  const port = Number(new URL(server.plainUrl).port);
  const kubelet = { logs: fail, exec: fail, kubeletLog: fail };
  const options = { host: '127.0.0.1', token: 't', tls: await makeCertificate(), kubelet, plainPort: port } as const;
  await assert.rejects(startApiServer(options), {
    code: 'QUIESCE_API_LISTEN',
    message: /port \d+ of 127.0.0.1 is taken/,
  });
});

const fail = () => Promise.reject(new Error('not asked for'));
