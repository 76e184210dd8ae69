import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { ServiceListener } from './listener.ts';

const clean: (() => void)[] = [];
afterEach(() => {
  for (const step of clean.splice(0)) step();
});

async function backend(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    clean.push(() => socket.destroy());
    socket.on('error', () => undefined);
    serve(socket);
  });
  server.listen(0, '127.0.7.1');
  await once(server, 'listening');
  clean.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A listener in front of one backend, and a client that is connected to it. */
async function through(port: number | undefined): Promise<Socket> {
  const backends = port === undefined ? [] : [{ address: '127.0.7.1', port }];
  const free = createServer().listen(0, '127.0.7.2');
  await once(free, 'listening');
  const front = (free.address() as AddressInfo).port;
  await new Promise((done) => free.close(done));
  const listener = new ServiceListener(
    '127.0.7.2',
    front,
    () => backends,
    (error) => assert.fail(error),
  );
  clean.push(() => listener.destroy());
  const client = connect({ host: '127.0.7.2', port: front, localAddress: '127.0.7.3', allowHalfOpen: true });
  clean.push(() => client.destroy());
  return client;
}

const text = async (socket: Socket): Promise<string> => {
  let all = '';
  socket.on('data', (part) => (all += String(part)));
  await once(socket, 'end');
  return all;
};

test('a FIN in one direction leaves the other open', async () => {
  const port = await backend((socket) => {
    void text(socket).then((all) => socket.end(`got ${all}`));
  });
  const client = await through(port);
  client.end('question');
  assert.equal(await text(client), 'got question');
});

test('a reset of the backend is a reset at the client, after the bytes before it', async () => {
  const port = await backend((socket) => {
    socket.once('data', () => socket.write('half an ans', () => socket.resetAndDestroy()));
  });
  const client = await through(port);
  client.write('question');
  let seen = '';
  client.on('data', (part) => (seen += String(part)));
  client.on('end', () => client.write('')); // fails where the end was a reset
  const [error] = (await once(client, 'error')) as [NodeJS.ErrnoException];
  assert.equal(error.code, 'ECONNRESET');
  assert.equal(seen, 'half an ans');
});

test('a reset of the client is a reset at the backend', async () => {
  const failed = new Promise<string | undefined>((resolve) => {
    void backend((socket) => {
      socket.once('data', () => socket.write('x'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    }).then(async (port) => {
      const client = await through(port);
      client.write('hello');
      await once(client, 'data');
      client.resetAndDestroy();
    });
  });
  assert.equal(await failed, 'ECONNRESET');
});

test('without a backend, and with one that refuses, the connection is reset', async () => {
  const gone = createServer().listen(0, '127.0.7.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  await new Promise((done) => gone.close(done));
  for (const target of [undefined, port]) {
    const client = await through(target);
    client.resume();
    const [error] = (await once(client, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNRESET');
  }
});

test('the backend sees the address of its client', async () => {
  const seen = new Promise((resolve) => {
    void backend((socket) => resolve(socket.remoteAddress)).then(through);
  });
  assert.equal(await seen, '127.0.7.3');
});
