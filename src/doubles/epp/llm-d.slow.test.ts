import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { sumGauge } from '../../engines/metrics.ts';
import { llmdRouter } from '../../routers/llm-d-router.ts';
import { observer, parseObserverView, recentDispatch } from '../../routers/observer.ts';
import { type Fleet, type FleetOptions, flowing, METRICS_PORT, withFleet as fleetOf } from '../router/fleet.testing.ts';
import { bundleDoubles } from '../testing/bundled.ts';
import { tokens } from '../testing/wire.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('vllm', 'envoy', 'epp')));
after(() => programs.remove());
const withFleet = (options: FleetOptions, body: (fleet: Fleet) => Promise<void>) =>
  fleetOf('llm-d-router', programs.paths, options, body);

/** What the view has of an engine's endpoint. */
async function rowOf(fleet: Fleet, name: 'a' | 'b') {
  const { body } = await fleet.get(observer.path, METRICS_PORT);
  return parseObserverView(body).workers.find(({ pod_hint }) => pod_hint === name);
}

async function healthOf(host: string): Promise<number | undefined> {
  const session = http2.connect(`http://${host}:${llmdRouter.ports.health}`);
  const stream = session.request({ ':method': 'POST', ':path': '/grpc.health.v1.Health/Check' });
  stream.end(Buffer.alloc(5));
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  session.close();
  return Buffer.concat(parts).at(-1);
}

describe('choice', { concurrency: 3 }, () => {
  test('the less busy one; the one that has seen a long prompt; nobody by a header of the client', () =>
    withFleet({}, async (fleet) => {
      const first = fleet.complete(40, 'first');
      await flowing(first);
      const busy = await fleet.servedBy('first');
      const other = busy === 'a' ? 'b' : 'a';
      await fleet.complete(1, 'second').over;
      assert.equal(await fleet.servedBy('second'), other);
      const prompt = 'the same beginning of it '.repeat(20);
      await fleet.complete(1, 'warm', prompt).over;
      const warm = await fleet.servedBy('warm');
      await first.over;
      for (const id of ['p1', 'p2', 'p3']) await fleet.complete(1, id, prompt).over;
      assert.deepEqual(new Set(await Promise.all(['p1', 'p2', 'p3'].map(fleet.servedBy))), new Set([warm]));
      const cold = fleet.engines[warm === 'a' ? 'b' : 'a'];
      const chosen = { [llmdRouter.destinationHeader]: `${cold.host}:8000`, 'x-request-id': 'forced' };
      await fleet.post('/v1/completions', { model: 'tiny', prompt, stream: true, max_tokens: 1 }, chosen).over;
      assert.equal(await fleet.servedBy('forced'), warm);
    }));

  test('an endpoint leaves on its deletion timestamp, lost labels, unreadiness and its end; streams on it go on', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(30, 'long');
      await flowing(stream);
      const leaving = await fleet.servedBy('long');
      const rest = leaving === 'a' ? 'b' : 'a';
      fleet.api.terminate(leaving);
      await fleet.workers(rest);
      for (const id of ['1', '2', '3', '4']) await fleet.complete(1, id).over;
      assert.deepEqual(new Set(await Promise.all(['1', '2', '3', '4'].map(fleet.servedBy))), new Set([rest]));
      const done = await stream.over;
      assert.equal(done.end, 'complete');
      assert.equal(tokens(done.body).length, 30);
      fleet.api.setReady(rest, false);
      await fleet.workers();
      fleet.api.setReady(rest, true);
      await fleet.workers(rest);
      fleet.api.relabel(rest, { app: 'md' });
      await fleet.workers();
      fleet.api.remove(leaving);
      const nobody = await fleet.complete(1).over;
      assert.equal(nobody.status, 503);
      assert.equal(nobody.body, llmdRouter.noEndpoints);
    }));
});

describe('view of the endpoints', { concurrency: 3 }, () => {
  test('a dispatch is recent for 15 s: it holds a replica that is out of selection, and no other', () =>
    withFleet({}, async (fleet) => {
      const before = await rowOf(fleet, 'a');
      assert.equal(before?.worker_id, 'ns/a-rank-0');
      assert.equal(before.role, 'server');
      assert.equal(before.last_job, undefined);
      const at = performance.now();
      await fleet.complete(1, 'one').over;
      const target = await fleet.servedBy('one');
      const survivor = target === 'a' ? 'b' : 'a';
      fleet.api.relabel(target, { app: 'md' });
      await fleet.workers(survivor);
      const row = await rowOf(fleet, target);
      assert.ok(row && recentDispatch(row));
      const { registered, healthy, circuit_open, in_selection } = row.selection;
      assert.deepEqual([registered, healthy, circuit_open, in_selection], [false, false, false, false]);
      await fleet.complete(1, 'two').over;
      assert.equal(await fleet.servedBy('two'), survivor);
      assert.ok(recentDispatch((await rowOf(fleet, survivor))!));
      while (await rowOf(fleet, target)) assert.ok(performance.now() - at < 10_000, 'held for ever');
      const held = performance.now() - at;
      assert.ok(held >= 15_000 / 5, `${held} ms`);
    }));

  test('405 for a write; one boot generation in nanoseconds; metrics of the picker', () =>
    withFleet({}, async ({ get, host, complete }) => {
      const { body } = await get(observer.path, METRICS_PORT);
      assert.match(body, /"boot_generation":\d{19},/);
      await complete(1).over;
      const { body: page } = await get('/metrics', METRICS_PORT);
      assert.equal(sumGauge(page, llmdRouter.metrics.ready), 2);
      assert.equal(sumGauge(page, llmdRouter.metrics.requests), 1);
      assert.match(page, /model_server_endpoint="a"/);
      while (sumGauge((await get('/metrics', METRICS_PORT)).body, llmdRouter.metrics.running) !== 0);
      assert.equal(await healthOf(host), 1);
    }));
});

describe('failures', { concurrency: 3 }, () => {
  test('refused: Envoy says 503, tried once, and the endpoint stays', () =>
    withFleet({}, async (fleet) => {
      fleet.api.setReady('b', false);
      await fleet.workers('a');
      await fleet.engines.a.stop();
      const refused = await fleet.complete(1, 'once').over;
      assert.equal(refused.status, 503);
      assert.equal(refused.body, llmdRouter.refused);
      await fleet.workers('a');
      await fleet.router.line(/"response_flags":"UF"/);
    }));

  test('an engine that dies in mid-stream: FIN without the end of the message, a second later, and no retry', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(4000, 'cut');
      await flowing(stream);
      const victim = await fleet.servedBy('cut');
      const at = performance.now();
      fleet.engines[victim].child.kill('SIGKILL');
      const done = await stream.over;
      assert.equal(done.end, 'fin');
      assert.ok(done.endedAt - at >= 1000 / 5 - 20);
      const other = fleet.engines[victim === 'a' ? 'b' : 'a'];
      assert.equal(
        other.lines.some((line) => line.includes('cmpl-cut')),
        false,
      );
    }));

  test('Envoy ends at SIGTERM: its streams are cut, exit code 0', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(4000);
      await flowing(stream);
      fleet.router.child.kill('SIGTERM');
      assert.equal((await stream.over).end, 'fin');
      assert.equal((await fleet.router.exited).code, 0);
    }));

  test('the picker at SIGTERM: says so, chooses among frozen endpoints, ends with its last stream', () =>
    withFleet({ args: ['--drain-timeout=5s'] }, async (fleet) => {
      const stream = fleet.complete(60, 'long');
      await flowing(stream);
      fleet.picker!.child.kill('SIGTERM');
      await fleet.picker!.line(/draining \(NotServing\)/);
      assert.equal(await healthOf(fleet.host), 2);
      assert.match((await fleet.get(observer.path, METRICS_PORT)).end ?? '', /ECONNREFUSED|ECONNRESET|EPIPE/);
      assert.equal((await fleet.complete(1).over).status, 200);
      await fleet.picker!.line(/Drain window elapsed/);
      const late = await fleet.complete(1).over;
      assert.equal(late.status, 500);
      assert.equal(late.body, '');
      assert.equal((await stream.over).end, 'complete');
      assert.equal((await fleet.picker!.exited).code, 0);
    }));

  test('the picker killed: streams are cut, it carries their bodies', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(4000);
      await flowing(stream);
      fleet.picker!.child.kill('SIGKILL');
      assert.equal((await stream.over).end, 'fin');
      assert.equal((await fleet.complete(1).over).status, 500);
    }));
});
