import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { KubeError } from './errors.ts';
import { KubeClient } from './rest.ts';

async function serving(t: TestContext, listener: RequestListener, base = '') {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new KubeClient({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    token: 'secret',
  });
  t.after(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { server, client };
}
const failing = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('it was answered'),
    (error: unknown) => (error instanceof KubeError ? error : assert.fail(String(error))),
  );

test('status, body, token and the path of a proxy before the API', async (t) => {
  const { client } = await serving(
    t,
    (request, response) =>
      response.writeHead(201).end(JSON.stringify({ url: request.url, token: request.headers.authorization })),
    '/k8s/clusters/one/',
  );
  const answer = await client.exchange('POST', '/api/v1/nodes?dryRun=All', { body: {} });
  assert.deepEqual(answer, {
    status: 201,
    body: { url: '/k8s/clusters/one/api/v1/nodes?dryRun=All', token: 'Bearer secret' },
  });
  assert.equal(client.calls, 1);
});

test('an answer that breaks off, is no JSON, or does not come', async (t) => {
  const { client, server } = await serving(t, (request, response) => {
    if (request.url === '/half')
      response.writeHead(200, { 'content-length': 100 }).write('{"items":', () => response.socket?.end());
    if (request.url === '/text') response.writeHead(502).end('<html>Bad Gateway</html>');
    if (request.url === '/status')
      response.writeHead(409).end('{"kind":"Status","reason":"Conflict","message":"try again"}');
  });
  const half = await failing(client.get('/half'));
  assert.equal(half.status, 0);
  const text = await failing(client.get('/text'));
  assert.deepEqual([text.status, text.body], [502, '<html>Bad Gateway</html>']);
  const status = await failing(client.get('/status'));
  assert.deepEqual([status.status, status.reason, status.message], [409, 'Conflict', 'GET /status: 409: try again']);
  const hung = await failing(client.request('GET', '/hangs', { timeoutMs: 50 }));
  assert.match(hung.message, /no answer within 50 ms/);
  server.closeAllConnections();
  server.close();
  assert.match((await failing(client.get('/gone'))).message, /no answer: .*ECONNREFUSED/);
});

test('a read is sent again where the server had closed the kept connection, a write is not', async (t) => {
  const seen: string[] = [];
  const { client } = await serving(t, (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    // The first request on each connection is answered, the next one finds it reset.
    const { socket } = request as typeof request & { socket: { used?: boolean } };
    if (socket.used) socket.resetAndDestroy();
    else response.end('{}');
    socket.used = true;
  });
  await client.get('/first');
  await client.get('/again');
  assert.deepEqual(seen, ['GET /first', 'GET /again', 'GET /again']);
  const error = await failing(client.create('/write', {}));
  assert.equal(error.status, 0);
  assert.equal(seen.filter((word) => word === 'POST /write').length, 1);
});
