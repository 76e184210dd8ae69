import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { constants, createDeflate } from 'node:zlib';
import { KubeletError } from '../../kubelet-api.ts';
import type { KubeletApi } from '../../kubelet-api.ts';
import { PODS, TOKEN, podNamed, testServer } from '../test-support.ts';
import type { TestServer } from '../test-support.ts';
import { spdyDictionary } from './spdy-dictionary.ts';

const none = () => Promise.reject(new KubeletError(404, 'not asked for'));

/** A program that echoes its input and ends with 3. */
const kubelet: KubeletApi = {
  logs: none,
  kubeletLog: none,
  exec: () => {
    const stdin = new PassThrough();
    const exit = once(stdin, 'end').then(() => 3);
    return Promise.resolve({ stdin, stdout: stdin, stderr: Readable.from(['warned']), exit, kill: () => undefined });
  },
};

let server: TestServer;
before(async () => {
  server = await testServer({ kubelet });
  await server.client.create(PODS, podNamed('p', { nodeName: 'n1' }));
});
after(() => server.close());

const counted = (text: string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
};

const frame = (first: number, flags: number, payload: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(first >>> 0);
  head.writeUInt32BE(payload.length, 4);
  head.writeUInt8(flags, 4);
  return Buffer.concat([head, payload]);
};

/** Opens one stream an element, as kubectl does: headers in one zlib stream over the connection. */
async function openStreams(socket: Socket, names: string[]): Promise<void> {
  const deflate = createDeflate({ dictionary: spdyDictionary, flush: constants.Z_SYNC_FLUSH });
  for (const [i, name] of names.entries()) {
    const count = Buffer.from([0, 0, 0, 1]);
    deflate.write(Buffer.concat([count, counted('streamtype'), counted(name)]));
    const [block] = (await once(deflate, 'data')) as [Buffer];
    const id = Buffer.alloc(10);
    id.writeUInt32BE(2 * i + 1);
    socket.write(frame(0x80030001, 0, Buffer.concat([id, block])));
  }
}

test('exec over SPDY: streams, input, output, and the exit code on the error stream', async () => {
  const socket = connect(Number(new URL(server.plainUrl).port), '127.0.0.1');
  const lines = [
    `POST ${PODS}/p/exec?command=cat&stdin=true&stdout=true&stderr=true HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${TOKEN}`,
    'connection: Upgrade',
    'upgrade: SPDY/3.1',
    'x-stream-protocol-version: v4.channel.k8s.io',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  assert.match(head.toString(), /^HTTP\/1.1 101 /);
  const received: Record<number, string> = {};
  const replies: number[] = [];
  let rest = Buffer.alloc(0);
  const ended = new Promise<void>((resolve) => {
    socket.on('data', (part: Buffer) => {
      rest = Buffer.concat([rest, part]);
      while (rest.length >= 8 && rest.length >= 8 + (rest.readUInt32BE(4) & 0xffffff)) {
        const length = rest.readUInt32BE(4) & 0xffffff;
        const [first, flags, payload] = [rest.readUInt32BE(0), rest.readUInt8(4), rest.subarray(8, 8 + length)];
        if (first >= 0x80000000) replies.push(payload.readUInt32BE(0));
        else received[first] = (received[first] ?? '') + payload.toString();
        rest = rest.subarray(8 + length);
        if (first === 1 && flags === 1) resolve();
      }
    });
  });
  await openStreams(socket, ['error', 'stdin', 'stdout', 'stderr']);
  socket.write(frame(3, 0, Buffer.from('hello')));
  socket.write(frame(3, 1, Buffer.alloc(0)));
  await ended;
  socket.destroy();
  assert.deepEqual(replies, [1, 3, 5, 7]);
  assert.deepEqual([received[5], received[7]], ['hello', 'warned']);
  assert.match(received[1] ?? '', /"reason":"NonZeroExitCode".*"message":"3"/);
});
