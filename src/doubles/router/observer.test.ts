import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { observer, ObserverViewError, parseObserverView } from '../../routers/observer.ts';
import { TimeScale } from '../../time/scale.ts';
import { exchange, freshAddress } from '../testing/wire.ts';
import { answerObserver, type View } from './observer.ts';

const selection = { registered: true, healthy: true, circuit_open: false, in_selection: true };
const row = { url: 'http://127.0.0.2:8000', port: '8000', role: 'regular', pod_hint: 'a', worker_id: 'b', selection };
const view: View = { boot: 1_796_000_000_123_456_789n, revision: 4, workers: [row] };

/** Asks a server that has the fault, over HTTP. */
async function ask(faults: string[], seen: View = view, patienceMs = 10_000) {
  const host = freshAddress();
  const scale = new TimeScale(5);
  const program = { podIP: host, scale, faults: new Set(faults), log: () => undefined, bind: () => host };
  const server = http.createServer((_request, response) => answerObserver(program, response, () => seen));
  await once(server.listen(8081, host), 'listening');
  const asked = exchange({ host, port: 8081, path: observer.path });
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise((resolve) => (timer = setTimeout(resolve, patienceMs, 'silence')));
  const settled = await Promise.race([asked.over, silence]);
  clearTimeout(timer);
  asked.hangUp();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return settled === 'silence' ? undefined : asked;
}

test('the view, with a boot generation that no number holds exactly', async () => {
  const answer = await ask([]);
  assert.equal(answer?.status, 200);
  assert.ok(answer.body.includes('"boot_generation":1796000000123456789,'));
  assert.deepEqual(parseObserverView(answer.body).workers, [row]);
});

test('503 and the reason where there is no view now', async () => {
  const answer = await ask([], 'endpoint membership is changing');
  assert.equal(answer?.status, 503);
  assert.equal(answer.body, 'endpoint membership is changing\n');
});

for (const [fault, status] of [
  ['observer-absent', 404],
  ['observer-unavailable', 503],
] as const) {
  test(`${fault}: ${status}`, async () => assert.equal((await ask([fault]))?.status, status));
}

for (const [fault, why] of [
  ['observer-garbage', /JSON/],
  ['observer-unknown-field', /shards/],
  ['observer-no-workers', /workers/],
  ['observer-boot-zero', /boot generation/],
  ['observer-huge', /4194304 bytes/],
] as const) {
  test(`${fault}: a whole answer from which nothing can be concluded`, async () => {
    const answer = await ask([fault]);
    assert.equal(answer?.status, 200);
    assert.equal(answer.end, 'complete');
    assert.throws(
      () => parseObserverView(answer.body),
      (error) => error instanceof ObserverViewError && why.test(error.message),
    );
  });
}

test('observer-half: closed in the middle', async () => {
  const answer = await ask(['observer-half']);
  assert.equal(answer?.status, 200);
  assert.notEqual(answer.end, 'complete');
  assert.ok(answer.body.startsWith('{"router"'));
});

test('observer-hangs: no answer', async () => assert.equal(await ask(['observer-hangs'], view, 300), undefined));
