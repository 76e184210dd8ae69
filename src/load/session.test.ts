import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { WebSocketServer, type WebSocket } from 'ws';
import { now } from '../time/clock.ts';
import { TimeScale } from '../time/scale.ts';
import { startLoad } from './driver.ts';
import { MemoryRecorder } from './memory-recorder.ts';
import { planLoad } from './plan.ts';

const scale = new TimeScale(100);
const servers: Server[] = [];
after(() => servers.forEach((server) => server.close()));

/** A server of realtime sessions that does `answer` once it is asked for a response; undefined: it accepts none. */
function serve(answer: ((session: WebSocket) => void) | undefined): Promise<number> {
  const server = createServer();
  servers.push(server);
  const sessions = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (!answer) return void socket.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\n\r\n{}');
    sessions.handleUpgrade(request, socket, head, (session) => {
      const seen: string[] = [];
      session.send('{"type":"session.created"}');
      session.on('message', (data: Buffer) => {
        // The model is told before anything is asked of it.
        const { type, session: told } = JSON.parse(data.toString()) as { type: string; session?: object };
        if (told) assert.deepEqual(told, { type: 'realtime', model: 'quiesce', max_output_tokens: 2 });
        seen.push(type);
        if (type !== 'response.create') return;
        assert.deepEqual(seen.splice(0), ['session.update', 'response.create']);
        answer(session);
      });
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

const delta = (n: number) => `{"type":"response.text.delta","delta":" t${n}"}`;
const done = '{"type":"response.done"}';
const sends = (session: WebSocket, ...texts: string[]) => texts.forEach((text) => session.send(text));

async function endOf(answer: ((session: WebSocket) => void) | undefined): Promise<{ end: string; tokens: number }> {
  const port = await serve(answer);
  const recorder = new MemoryRecorder();
  const placed = [{ name: 'talk', to: { case: 'x' }, starts: 0, tokens: 2, session: true }];
  const load = startLoad({
    plan: planLoad({ placed, seed: 1, scale }),
    zeroAt: now(),
    scale,
    resolve: () => ({ host: '127.0.0.1', port }),
    recorder,
    silenceMs: 300,
    sampleEveryMs: 10,
  });
  await load.done;
  const [ended] = recorder.of('request.end');
  return { end: ended?.data.end ?? '', tokens: ended?.data.tokens ?? -1 };
}

test('a session that is answered whole is complete', async () => {
  assert.deepEqual(await endOf((session) => sends(session, delta(0), delta(1), done)), { end: 'complete', tokens: 2 });
});

test('one that is closed before its response is done is not, with a close frame or without', async () => {
  const closed = await endOf((session) => session.send(delta(0), () => session.close(1001)));
  assert.deepEqual(closed, { end: 'eof', tokens: 1 });
  const cut = await endOf((session) => session.send(delta(0), () => session.terminate()));
  assert.equal(cut.tokens, 1);
  assert.ok(['eof', 'reset'].includes(cut.end), cut.end);
});

test('an error event, a missing token, and an upgrade that is refused', async () => {
  assert.equal(
    (await endOf((s) => s.send('{"type":"error","error":{"message":"no"}}', () => s.close()))).end,
    'error-frame',
  );
  assert.equal((await endOf((session) => sends(session, delta(0), done))).end, 'damaged');
  assert.equal((await endOf(undefined)).end, 'http-error');
});
