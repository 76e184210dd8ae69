import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { KubeError } from './errors.ts';
import { Patience } from './patience.ts';
import { KubeClient } from './rest.ts';

const listen = (server: Server, port: number) =>
  new Promise<number>((resolve) =>
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

/** A port that nobody listens on, and a server that can be put there later. */
async function away(t: TestContext) {
  const probe = createServer();
  const port = await listen(probe, 0);
  await new Promise((resolve) => probe.close(resolve));
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.url === '/breaks') request.socket.destroy();
    else response.end('{}');
  });
  const client = new KubeClient({ server: `http://127.0.0.1:${port}` });
  t.after(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, server, port, seen };
}

const failing = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('it was answered'),
    (error: unknown) => (error instanceof KubeError ? error : assert.fail(String(error))),
  );

test('a write that was refused is sent once the server is there, and only once', async (t) => {
  const { client, server, port, seen } = await away(t);
  let tries = 0;
  const written = new Patience().through('POST', () => {
    tries += 1;
    if (tries === 3) void listen(server, port);
    return client.create('/api/v1/namespaces', {});
  });
  assert.deepEqual(await written, {});
  assert.ok(tries >= 3);
  assert.deepEqual(seen, ['POST /api/v1/namespaces']);
});

test('a write whose answer broke off is not sent again, since it may have been heeded', async (t) => {
  const { client, server, port, seen } = await away(t);
  await listen(server, port);
  const error = await failing(new Patience().through('POST', () => client.create('/breaks', {})));
  assert.equal(error.status, 0);
  assert.deepEqual(seen, ['POST /breaks']);
});

test('a read whose answer broke off is asked again', async (t) => {
  const { client, server, port, seen } = await away(t);
  await listen(server, port);
  let path = '/breaks';
  const read = new Patience().through('GET', () => client.get(path).finally(() => (path = '/api')));
  assert.deepEqual(await read, {});
  assert.deepEqual(seen, ['GET /breaks', 'GET /api']);
});

test('patience that was in vain is not tried again until something is answered', async (t) => {
  const { client, server, port } = await away(t);
  const patience = new Patience(250);
  let tries = 0;
  const ask = () =>
    patience.through('GET', () => {
      tries += 1;
      return client.get('/api');
    });
  await failing(ask());
  assert.ok(tries > 1);
  const before = tries;
  await failing(ask());
  assert.equal(tries, before + 1);
  await listen(server, port);
  assert.deepEqual(await ask(), {});
});

test('an answer that refuses is an answer', async (t) => {
  const { client, server, port } = await away(t);
  server.removeAllListeners('request').on('request', (_, response) => response.writeHead(503).end('{}'));
  await listen(server, port);
  let tries = 0;
  const error = await failing(
    new Patience().through('GET', () => {
      tries += 1;
      return client.get('/api');
    }),
  );
  assert.deepEqual([error.status, tries], [503, 1]);
});
