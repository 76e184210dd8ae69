import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { after, test } from 'node:test';
import { now } from '../time/clock.ts';
import { TimeScale } from '../time/scale.ts';
import { startLoad } from './driver.ts';
import type { Load, LoadOptions } from './driver.ts';
import { ledgerOf } from './ledger.ts';
import { MemoryRecorder } from './memory-recorder.ts';
import { planLoad } from './plan.ts';
import type { PlacedLoad } from './plan.ts';
import type { Address } from './stream.ts';

const scale = new TimeScale(100);
const servers: Server[] = [];
after(() => servers.forEach((server) => server.close()));

const listen = (server: Server): Promise<Address> => {
  servers.push(server);
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })),
  );
};

/** An engine whose prompt (the request's id) begins with the name of what it shall do. */
type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;
const token = (n: number, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ text: ` t${n}`, finish_reason: finish }] })}\n\n`;
const done = 'data: [DONE]\n\n';
const error = 'data: {"error":{"message":"EngineCore encountered an issue.","code":500}}\n\n';
const whole = token(1) + token(2) + token(3, 'length');

/** A response whose connection the test resets once its first chunk was seen. */
let toReset: ServerResponse | undefined;

const behaviours: Record<string, Behaviour> = {
  complete: (r) => r.end(whole + done),
  chat: (r) => r.end(`data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n${whole}${done}`),
  abort: (r) => r.end(token(1) + token(2, 'abort') + done),
  frame: (r) => r.end(token(1) + error + done),
  nodone: (r) => r.end(whole),
  nofinish: (r) => r.end(token(1) + token(2) + token(3) + done),
  short: (r) => r.end(token(1) + token(2, 'length') + done),
  repeats: (r) => r.end(token(1) + whole + done),
  skips: (r) => r.end(token(1) + token(3, 'length') + done),
  fin: (r) => r.write(token(1), () => r.socket?.end()),
  finafterdone: (r) => r.write(whole + done, () => r.socket?.end()),
  half: (r) => r.write(`${token(1)}data: {"cho`, () => r.socket?.end()),
  reset: (r) => r.write(token(1), () => (toReset = r)),
  early: (r) => r.socket?.resetAndDestroy(),
  earlyfin: (r) => r.socket?.end(),
  busy: (r) => r.writeHead(503).end('{"error":{"message":"No available workers"}}'),
  json: (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}'),
  silent: (r) => r.write(token(1)),
  headless: () => undefined,
  flows: (r) => {
    let n = 0;
    const timer = setInterval(() => r.write(token((n += 1))), 5);
    r.on('close', () => clearInterval(timer));
  },
};

const engine = () =>
  listen(
    createServer((request, response) => {
      const name = String(request.headers['x-request-id']).split('-')[0] ?? '';
      if (!['busy', 'json', 'early', 'earlyfin', 'headless'].includes(name)) {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      }
      request.resume().on('end', () => behaviours[name]?.(response, request));
    }),
  );

function start(placed: PlacedLoad[], resolve: LoadOptions['resolve'], more: Partial<LoadOptions> = {}) {
  const recorder = new MemoryRecorder();
  const plan = planLoad({ placed, seed: 1, scale });
  const load = startLoad({
    plan,
    zeroAt: now() + 5,
    scale,
    resolve,
    recorder,
    silenceMs: 100,
    sampleEveryMs: 20,
    ...more,
  });
  return { recorder, load };
}
const place = (name: string, more: Partial<PlacedLoad> = {}): PlacedLoad => ({
  name,
  to: { case: 'a' },
  starts: 0,
  tokens: 3,
  ...more,
});
const endsOf = (recorder: MemoryRecorder) =>
  Object.fromEntries(recorder.of('request.end').map(({ data }) => [data.id.replace(/-1$/, ''), data]));

test('each way to end is told apart, once each, and the ledger balances', async () => {
  const address = await engine();
  const names = Object.keys(behaviours);
  const { recorder, load } = start([...names.map((n) => place(n)), place('late', { starts: 1000 })], () => address);
  // Only now: libuv reports a reset that comes together with unread bytes as an ordinary end.
  await recorder.until('request.chunk', ({ data }) => data.id === 'reset-1');
  toReset?.socket?.resetAndDestroy();
  const quick = names.filter((name) => !['silent', 'headless', 'flows'].includes(name));
  await Promise.all(quick.map((name) => recorder.until('request.end', ({ data }) => data.id === `${name}-1`)));
  await recorder.until('request.chunk', ({ data }) => data.id === 'flows-1' && data.tokens > 30); // 150 ms: silent ones are silent
  assert.deepEqual(load.open().sort(), ['flows-1', 'headless-1', 'silent-1']);
  const ledger = await load.stop('window ended');

  const ends = endsOf(recorder);
  const kinds = Object.fromEntries(Object.entries(ends).map(([id, { end }]) => [id, end]));
  assert.deepEqual(kinds, {
    complete: 'complete',
    chat: 'complete',
    abort: 'abort',
    frame: 'error-frame',
    nodone: 'eof',
    nofinish: 'damaged',
    short: 'damaged',
    repeats: 'damaged',
    skips: 'damaged',
    fin: 'eof',
    finafterdone: 'eof',
    half: 'eof',
    reset: 'reset',
    early: 'refused',
    earlyfin: 'refused',
    busy: 'http-error',
    json: 'damaged',
    silent: 'silence',
    headless: 'silence',
    flows: 'closed-by-harness',
    late: 'never-sent',
  });
  assert.deepEqual([ends['short']?.missing, ends['skips']?.missing, ends['repeats']?.repeated], [1, 1, 1]);
  assert.match(ends['frame']?.detail ?? '', /EngineCore encountered an issue\. \(then \[DONE\]\)/);
  assert.match(ends['half']?.detail ?? '', /inside an event/);
  assert.match(ends['silent']?.detail ?? '', /window ended; no byte for \d+ ms/);
  assert.equal(ends['complete']?.finishReason, 'length');
  assert.equal(ends['busy']?.status, 503);
  assert.equal(ends['headless']?.lastByteAt, undefined);

  assert.deepEqual(ledger.problems, []);
  assert.equal(
    ledger.planned,
    Object.values(ledger.ends).reduce((a, b) => a + b),
  );
  assert.equal(ledger.sent, ledger.planned - 1);
  assert.deepEqual(ledgerOf(recorder.events), ledger);
  assert.equal(await load.stop('again'), ledger);
});

test('nobody listening is refused, no address is never sent', async () => {
  const gone = createTcpServer();
  const address = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));
  const { recorder, load } = start([place('gone'), place('unknown', { to: { router: 'none' } })], (to) => {
    if ('router' in to) throw new Error('no such router');
    return Promise.resolve(address);
  });
  const ledger = await load.done;
  const ends = endsOf(recorder);
  assert.match(`${ends['gone']?.end}: ${ends['gone']?.detail}`, /^refused: .*ECONNREFUSED/);
  assert.match(`${ends['unknown']?.end}: ${ends['unknown']?.detail}`, /^never-sent: no address: no such router/);
  assert.deepEqual(ledger.problems, []);
});

test('a server that never answers delays no later request', async () => {
  const address = await engine();
  const { recorder, load } = start(
    [place('headless', { copies: 20 }), place('complete', { starts: 30 })],
    () => address,
  );
  await recorder.until('request.end', ({ data }) => data.id === 'complete-1');
  assert.equal(load.open().length, 20);
  await load.stop('enough');
});

test('the request carries its id, its length and the name of the scenario, from the address of the load', async () => {
  const seen = new Promise<{ request: IncomingMessage; body: string; from: string | undefined }>((resolve, reject) => {
    const server = createServer((request, response) => {
      let body = '';
      const from = request.socket.remoteAddress;
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => response.writeHead(204).end(() => resolve({ request, body, from })));
    });
    listen(server).then((address) => {
      start([place('one', { waitsForKv: 2 })], () => address, { userAgent: 'quiesce/gpustack', model: 'chat' });
    }, reject);
  });
  const { request, body, from } = await seen;
  assert.equal(from, '127.0.0.10');
  assert.equal(request.url, '/v1/completions');
  assert.equal(request.headers['x-request-id'], 'one-1');
  assert.equal(request.headers['user-agent'], 'quiesce/gpustack');
  assert.deepEqual(JSON.parse(body), {
    model: 'chat',
    prompt: 'one-1',
    stream: true,
    max_tokens: 3,
    ignore_eos: true,
    rid: 'one-1',
    quiesce: { token_seconds: 0.1, kv_wait_seconds: 2 },
  });
});

test('chunks are recorded in samples, the first and the last in any case', async () => {
  const address = await engine();
  const { recorder, load } = start([place('flows')], () => address, { sampleEveryMs: 60_000 });
  await recorder.until('request.chunk');
  const rest = start([place('flows')], () => address, { sampleEveryMs: 0 });
  await rest.recorder.until('request.chunk', ({ data }) => data.tokens > 10);
  await Promise.all([load.stop('enough'), rest.load.stop('enough')]);
  const chunks = recorder.of('request.chunk');
  assert.equal(chunks.length, 2);
  assert.equal(chunks[1]?.data.tokens, recorder.of('request.end')[0]?.data.tokens);
  assert.equal(chunks[1]?.at[0], recorder.of('request.end')[0]?.data.lastByteAt);
});

test('a kept connection serves request after request', async () => {
  const address = await engine();
  const { load } = start([place('complete', { copies: 5 })], () => address, { keepAlive: true });
  assert.equal((await (load satisfies Load).done).ends.complete, 5);
});

test('an empty plan is done at once', async () => {
  const { load } = start([], () => assert.fail());
  assert.equal((await load.done).planned, 0);
});
