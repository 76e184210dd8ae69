import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { KubeError } from './errors.ts';
import { execInPod } from './exec.ts';
import { KubeClient } from './rest.ts';

/** A kubelet that speaks `protocols` only and does as told with each connection. */
async function kubelet(
  t: TestContext,
  talk: (socket: WebSocket, url: URL) => void,
  protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'],
) {
  const server = createServer((_request, response) =>
    response.writeHead(404).end('{"reason":"NotFound","message":"pods \\"a\\" not found"}'),
  );
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => [...offered].find((name) => protocols.includes(name)) ?? false,
  });
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '', 'http://fake');
    if (!url.pathname.endsWith('/pods/a/exec')) {
      socket.end(
        'HTTP/1.1 404 Not Found\r\ncontent-length: 38\r\nconnection: close\r\n\r\n{"reason":"NotFound","message":"none"}',
      );
    } else sockets.handleUpgrade(request, socket, head, (ws) => talk(ws, url));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new KubeClient({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'secret',
  });
  t.after(() => {
    client.close();
    sockets.clients.forEach((socket) => socket.terminate());
    server.close();
  });
  return client;
}

const send = (socket: WebSocket, number: number, text: string) =>
  socket.send(Buffer.concat([Buffer.from([number]), Buffer.from(text)]));
const success = '{"status":"Success"}';
const failure =
  '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"7"}]}}';

for (const protocol of ['v5.channel.k8s.io', 'v4.channel.k8s.io']) {
  test(`output, errors and exit code over ${protocol}`, async (t) => {
    let seen: { words: string[]; protocol: string } | undefined;
    const talk = (socket: WebSocket, url: URL) => {
      seen = { words: url.searchParams.getAll('command'), protocol: socket.protocol };
      send(socket, 1, 'half ');
      send(socket, 2, 'warning');
      send(socket, 1, 'and half');
      send(socket, 3, failure);
      socket.close(1000);
    };
    const client = await kubelet(t, talk, [protocol]);
    const result = await execInPod(client, 'ns', 'a', 'main', ['date', '+%s.%N', 'a b']);
    assert.deepEqual(result, { code: 7, stdout: 'half and half', stderr: 'warning' });
    assert.deepEqual(seen, { words: ['date', '+%s.%N', 'a b'], protocol });
  });
}

test('success is exit code 0', async (t) => {
  const client = await kubelet(t, (socket) => {
    send(socket, 3, success);
    socket.close();
  });
  assert.equal((await execInPod(client, 'ns', 'a', 'main', ['true'])).code, 0);
});

test('what does not run to an exit of its own is an error that says why', async (t) => {
  const talk = (socket: WebSocket, url: URL) => {
    const [word] = url.searchParams.getAll('command');
    if (word === 'missing')
      send(socket, 3, '{"status":"Failure","reason":"InternalError","code":500,"message":"no such file"}');
    if (word === 'garbled') send(socket, 3, 'nonsense');
    if (word !== 'hangs') socket.close();
  };
  const client = await kubelet(t, talk);
  const fails = (pod: string, command: string, status: number, message: RegExp) =>
    assert.rejects(
      execInPod(client, 'ns', pod, 'main', [command], command === 'hangs' ? { timeoutMs: 200 } : {}),
      (error) => {
        assert.ok(error instanceof KubeError);
        assert.equal(error.status, status, error.message);
        assert.match(error.message, message);
        return true;
      },
    );
  await fails('a', 'missing', 500, /no such file/);
  await fails('a', 'garbled', 0, /without the command's status/);
  await fails('a', 'cut', 0, /without the command's status/);
  await fails('a', 'hangs', 0, /did not end within 200 ms/);
  await fails('b', 'true', 404, /none/);
});
