import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { grpcCheck } from './grpc-check.ts';

const loopback = { podIP: '127.0.0.1', hostIP: '127.0.0.1' };

/** A health service that answers with these bytes; without any it stays silent. Tells what it was asked. */
async function serve(t: TestContext, answer?: number[]) {
  const asked: { path: string; body: Buffer }[] = [];
  const server = http2.createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    stream.on('data', (body: Buffer) => asked.push({ path: headers[':path'] ?? '', body }));
    if (!answer) return;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.from(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, asked };
}

test('a service that serves is healthy; it is asked by its name', async (t) => {
  const { port, asked } = await serve(t, [0, 0, 0, 0, 2, 8, 1]);
  await grpcCheck(loopback, port, 'liveness', 5000);
  await grpcCheck(loopback, port, '', 5000);
  assert.equal(asked[0]?.path, '/grpc.health.v1.Health/Check');
  assert.deepEqual([...(asked[0]?.body ?? [])], [0, 0, 0, 0, 10, 0x0a, 8, ...Buffer.from('liveness')]);
  assert.deepEqual([...(asked[1]?.body ?? [])], [0, 0, 0, 0, 0]);
});

for (const [answer, said] of [
  [[0, 0, 0, 0, 2, 8, 2], 'NOT_SERVING'],
  [[0, 0, 0, 0, 2, 8, 3], 'SERVICE_UNKNOWN'],
  [[0, 0, 0, 0, 0], 'UNKNOWN'],
] as const) {
  test(`${said} is unhealthy`, async (t) => {
    const { port } = await serve(t, [...answer]);
    await assert.rejects(grpcCheck(loopback, port, '', 5000), {
      message: `service unhealthy (responded with "${said}")`,
    });
  });
}

test('silence and refusal are failures', async (t) => {
  const { port } = await serve(t);
  await assert.rejects(grpcCheck(loopback, port, '', 100), /did not complete within 0.1s/);
  await assert.rejects(grpcCheck(loopback, 1, '', 5000), /failed to connect service "127.0.0.1:1"/);
});
