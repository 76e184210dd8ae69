import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { WebSocketServer } from 'ws';
import { now } from '../time/clock.ts';
import { TimeScale } from '../time/scale.ts';
import { startLoad, type Load } from './driver.ts';
import { ledgerOf } from './ledger.ts';
import { MemoryRecorder } from './memory-recorder.ts';
import { LoadPlanError, planLoad, type ClientTurn, type PlacedLoad } from './plan.ts';

const scale = new TimeScale(100);
const servers: Server[] = [];
after(() => servers.forEach((server) => server.close()));

const token = (n: number, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ text: ` t${n}`, finish_reason: finish }] })}\n\n`;
const done = 'data: [DONE]\n\n';

/** What the server saw of its one client: that it ended its half, and that the connection is over. */
interface Seen {
  halfClosed: Promise<void>;
  closed: Promise<void>;
  response: Promise<ServerResponse>;
}

/** A server that begins an answer and goes on once its client has closed its half; `end`: with what. */
async function serve(end?: string): Promise<{ port: number; seen: Seen }> {
  const server = createServer({}, (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(token(1));
    response.once('close', () => told.closed());
    request.socket.once('end', () => {
      told.halfClosed();
      if (end !== undefined) response.end(end);
      else request.socket.destroy();
    });
    told.response(response);
  });
  // Half-open connections are what this is about.
  Object.assign(server, { httpAllowHalfOpen: true });
  const sessions = new WebSocketServer({ server });
  sessions.on('connection', (session, request) => {
    session.send('{"type":"session.created"}');
    session.send('{"type":"response.text.delta","delta":" t1"}');
    session.once('close', () => told.closed());
    request.socket.once('end', () => told.halfClosed());
  });
  const told = {
    halfClosed: () => undefined as void,
    closed: () => undefined as void,
    response: (_: ServerResponse) => undefined as void,
  };
  const seen: Seen = {
    halfClosed: new Promise((resolve) => (told.halfClosed = resolve)),
    closed: new Promise((resolve) => (told.closed = resolve)),
    response: new Promise((resolve) => (told.response = resolve)),
  };
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, seen };
}

/** One request whose client does that 0.3 s after its start. */
async function asks(does: ClientTurn, end?: string, more: Partial<PlacedLoad> = {}) {
  const { port, seen } = await serve(end);
  const recorder = new MemoryRecorder();
  const placed = [{ name: 'one', to: { case: 'x' }, starts: 0, tokens: 3, client: { does, at: 30 }, ...more }];
  const load: Load = startLoad({
    plan: planLoad({ placed, seed: 1, scale }),
    zeroAt: now(),
    scale,
    resolve: () => ({ host: '127.0.0.1', port }),
    recorder,
    silenceMs: 10,
    sampleEveryMs: 1,
  });
  return { seen, recorder, load };
}

test('a client that leaves has left, and the server sees it go', async () => {
  for (const session of [false, true]) {
    const { seen, recorder, load } = await asks('leaves', undefined, { session });
    const ledger = await load.done;
    await seen.closed;
    const [end] = recorder.of('request.end');
    assert.equal(end?.data.end, 'client-left', `${end?.data.detail}`);
    assert.equal(end?.data.detail, 'the client leaves');
    assert.equal(end?.data.tokens, 1);
    assert.deepEqual(ledger.problems, []);
    assert.deepEqual(ledgerOf(recorder.events), ledger);
    await load.stop('over');
  }
});

test('a client that reads no more keeps its connection, has left from then on, and hangs up with the load', async () => {
  const { seen, recorder, load } = await asks('stops-reading');
  const response = await seen.response;
  const ledger = await load.done;
  assert.equal(ledger.ends['client-left'], 1);
  // More than the sockets hold: no client reads it.
  const written = response.write(token(2).repeat(200_000));
  assert.equal(written, false);
  assert.equal(response.writable && !response.destroyed, true);
  const [end] = recorder.of('request.end');
  assert.equal(end?.data.tokens, 1);
  await load.stop('over');
  await seen.closed;
  assert.equal(recorder.of('request.end').length, 1);
});

test('a client that closes its half still gets what the server sends, and is whole if that is', async () => {
  const { seen, recorder, load } = await asks('closes-its-half', token(2) + token(3, 'length') + done);
  await load.done;
  await seen.halfClosed;
  assert.equal(recorder.of('request.end')[0]?.data.end, 'complete');
});

test('what a server leaves undone once a client has closed its half is the doing of the client', async () => {
  for (const end of [undefined, 'data: {"error":{"message":"Request cancelled"}}\n\n', token(2)]) {
    const { recorder, load } = await asks('closes-its-half', end);
    await load.done;
    const data = recorder.of('request.end')[0]?.data;
    assert.equal(data?.end, 'client-left', `${end}`);
    assert.match(data?.detail ?? '', /^had closed its half; then (eof|reset|error-frame)/);
  }
  const { recorder, load, seen } = await asks('closes-its-half', undefined, { session: true });
  await load.done;
  await seen.halfClosed;
  assert.equal(recorder.of('request.end')[0]?.data.end, 'client-left');
});

test('a client can do nothing before its request', () => {
  const placed = [{ name: 'one', to: { case: 'x' }, starts: 2, tokens: 3, client: { does: 'leaves' as const, at: 2 } }];
  assert.throws(() => planLoad({ placed, seed: 1, scale }), LoadPlanError);
});
