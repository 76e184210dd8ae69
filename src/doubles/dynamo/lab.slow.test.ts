import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TOKEN, testServer, type TestServer } from '../../embedded/api/test-support.ts';
import { dynamoFacts } from '../../engines/dynamo/facts.ts';
import { dynamoLines as lines } from '../../engines/dynamo/log.ts';
import { createDefinitions } from '../../systems/gpustack/install.ts';
import { dynamoDefinitions } from '../../systems/gpustack/manifests.ts';
import { bundleDoubles, start, type Started } from '../testing/bundled.ts';
import { exchange, freshAddress, tokens } from '../testing/wire.ts';
import { recordsPath, type WorkerRecord } from './record.ts';

/** Documented seconds a second of the wall: a grace of 5 s takes 0.5 s. */
const SCALE = 10;

let server: TestServer;
let programs: Awaited<ReturnType<typeof bundleDoubles>>;
let folder: string;

before(async () => {
  [server, programs] = await Promise.all([testServer(), bundleDoubles('dynamo-worker', 'dynamo-frontend')]);
  await createDefinitions(server.client, dynamoDefinitions());
  folder = mkdtempSync(join(tmpdir(), 'quiesce-dynamo-'));
  const config = {
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    clusters: [{ name: 'x', cluster: { server: server.plainUrl } }],
    users: [{ name: 'x', user: { token: TOKEN } }],
  };
  writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(config));
});
after(async () => {
  programs.remove();
  rmSync(folder, { recursive: true });
  await server.close();
});

/** A worker and a frontend of one graph, the worker called ready by an EndpointSlice. */
async function graph(name: string, env: Record<string, string> = {}) {
  const [workerIP, frontendIP] = [freshAddress(), freshAddress()];
  const shared = {
    KUBECONFIG: join(folder, 'kubeconfig'),
    POD_NAMESPACE: 'default',
    POD_NAME: `${name}-worker`,
    POD_UID: `uid-${name}`,
    DYN_NAMESPACE: name,
    ...env,
  };
  const begin = (program: string, podIP: string): Started => {
    const path = programs.paths[program] ?? '';
    return start(path, ['-m', program === 'dynamo-worker' ? 'dynamo.vllm' : 'dynamo.frontend', '--model', 'tiny'], {
      podIP,
      scale: SCALE,
      env: shared,
    });
  };
  const worker = begin('dynamo-worker', workerIP);
  const frontend = begin('dynamo-frontend', frontendIP);
  await server.client.create('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, labels: { [dynamoFacts.labels.discoveryBackend]: 'kubernetes' } },
    addressType: 'IPv4',
    ports: [],
    endpoints: [
      { addresses: ['10.0.0.1'], conditions: { ready: true }, targetRef: { kind: 'Pod', name: `${name}-worker` } },
    ],
  });
  const get = (path: string) => exchange({ host: frontendIP, port: 8000, path }).over;
  const ask = (max_tokens: number) =>
    exchange({
      host: frontendIP,
      port: 8000,
      method: 'POST',
      path: '/v1/completions',
      body: { model: 'tiny', prompt: 'x', stream: true, max_tokens, quiesce: { token_seconds: 0.5 } },
    });
  for (;;) {
    const { status, body } = await get('/v1/models').catch(() => ({ status: 0, body: '' }));
    if (status === 200 && body.includes('"tiny"')) break;
  }
  return { worker, frontend, get, ask };
}

const messages = ({ lines: all }: Started) => all.map((line) => (JSON.parse(line) as { message: string }).message);

test('a worker: the documented order at SIGTERM, its record empty before the grace, its stream whole', async () => {
  const { worker, frontend, get, ask } = await graph('order');
  const stream = ask(20);
  await stream.until(({ body }) => body.includes('t1"'));
  worker.child.kill('SIGTERM');
  await worker.line(/Grace period 5\.00s/);
  const [record] = await server.client.list<WorkerRecord>(recordsPath('default'));
  assert.deepEqual(record?.spec.data.endpoints, {});
  assert.ok((await get('/health')).body.includes('"instances":[]'));
  assert.equal((await ask(1).over).status, 503);
  assert.equal(tokens((await stream.over).body).length, 20);
  assert.equal((await worker.exited).code, 0);
  const { signal, unregistered, initiating, runtime, waiting, drained, teardown, cleanup } = lines;
  const expected = [signal, unregistered, lines.grace(5), initiating, runtime, waiting, drained, teardown, cleanup];
  assert.deepEqual(
    messages(worker).filter((message) => expected.includes(message)),
    expected,
  );
  frontend.child.kill('SIGKILL');
  await frontend.exited;
});

test('a frontend: 503 and live in its drain, its stream whole, gone with 0', async () => {
  const { worker, frontend, get, ask } = await graph('drain');
  const stream = ask(8);
  await stream.until(({ body }) => body.includes('t1"'));
  frontend.child.kill('SIGTERM');
  await frontend.line(/entering draining stage/);
  const { status, body } = await get('/health');
  assert.deepEqual([status, body.includes('"draining"')], [503, true]);
  assert.equal((await get('/live')).status, 200);
  assert.equal((await ask(1).over).status, 503);
  assert.equal(tokens((await stream.over).body).length, 8);
  assert.equal((await frontend.exited).code, 0);
  worker.child.kill('SIGKILL');
  await worker.exited;
});

test('a request that outlasts the timeout of the runtime ends with an error, and the worker says what is left', async () => {
  const { worker, frontend, ask } = await graph('bound', {
    [dynamoFacts.variables.grace]: '0',
    [dynamoFacts.variables.runtimeTimeout]: '2',
  });
  const stream = ask(200);
  await stream.until(({ body }) => body.includes('t1"'));
  worker.child.kill('SIGTERM');
  const { body } = await stream.over;
  assert.match(body, /"code":499/);
  assert.ok(body.includes('[DONE]'));
  assert.equal((await worker.exited).code, 0);
  assert.match(worker.lines.join('\n'), /Graceful endpoint shutdown timed out.*"remaining_endpoints":1/);
  frontend.child.kill('SIGKILL');
  await frontend.exited;
});
