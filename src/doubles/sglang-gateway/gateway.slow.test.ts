import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sumGauge } from '../../engines/metrics.ts';
import { observer, parseObserverView } from '../../routers/observer.ts';
import { sglangGateway } from '../../routers/sglang-gateway.ts';
import { type Fleet, type FleetOptions, flowing, METRICS_PORT, withFleet as fleetOf } from '../router/fleet.testing.ts';
import { bundleDoubles } from '../testing/bundled.ts';
import { tokens } from '../testing/wire.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('vllm', 'sglang-gateway')));
after(() => programs.remove());
const withFleet = (options: FleetOptions, body: (fleet: Fleet) => Promise<void>) =>
  fleetOf('sglang-gateway', programs.paths, options, body);

describe('retries', { concurrency: 3 }, () => {
  test('while the response has not started the next worker is tried: a dead one costs no request', () =>
    withFleet({}, async (fleet) => {
      await fleet.engines.a.stop();
      for (const id of ['1', '2', '3']) assert.equal((await fleet.complete(1, id).over).end, 'complete');
      assert.deepEqual(new Set(await Promise.all(['1', '2', '3'].map(fleet.servedBy))), new Set(['b']));
      const { body } = await fleet.get('/metrics', METRICS_PORT);
      assert.ok((sumGauge(body, sglangGateway.metrics.retries) ?? 0) >= 1);
    }));

  test('five attempts, then the code of the failure in body and header', () =>
    withFleet({}, async (fleet) => {
      fleet.api.terminate('b');
      await fleet.workers('a');
      await fleet.engines.a.stop();
      const refused = await fleet.complete(1).over;
      assert.equal(refused.status, 500);
      assert.equal(refused.headers[sglangGateway.errorHeader], 'call_upstream_request_error');
      const { error } = JSON.parse(refused.body) as { error: { type: string; code: string; message: string } };
      assert.deepEqual([error.type, error.code], ['Internal Server Error', 'call_upstream_request_error']);
      const page = (await fleet.get('/metrics', METRICS_PORT)).body;
      assert.equal(sumGauge(page, sglangGateway.metrics.retries), 4);
      assert.equal(sumGauge(page, sglangGateway.metrics.retriesExhausted), 1);
      fleet.api.remove('a');
      await fleet.workers();
      const nobody = await fleet.complete(1).over;
      assert.equal(nobody.status, 503);
      assert.equal(nobody.headers[sglangGateway.errorHeader], 'no_available_workers');
      assert.equal((await fleet.get('/readiness')).status, 503);
      assert.equal((await fleet.get('/health')).status, 200);
    }));

  test('a stream that has started is never tried again: FIN without the end of the message', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(4000, 'cut');
      await flowing(stream);
      const victim = await fleet.servedBy('cut');
      fleet.engines[victim].child.kill('SIGKILL');
      const done = await stream.over;
      assert.equal(done.status, 200);
      assert.equal(done.end, 'fin');
      const other = fleet.engines[victim === 'a' ? 'b' : 'a'];
      assert.equal(
        other.lines.some((line) => line.includes('cmpl-cut')),
        false,
      );
    }));

  test('--disable-retries and the fault gateway-never-retries: one attempt', async () => {
    const half = async (fleet: Fleet) => {
      await fleet.engines.a.stop();
      const statuses: number[] = [];
      for (let i = 0; i < 4; i += 1) statuses.push((await fleet.complete(1).over).status);
      assert.deepEqual(statuses.sort(), [200, 200, 500, 500]);
    };
    await withFleet({ args: ['--disable-retries'] }, half);
    await withFleet({ faults: ['gateway-never-retries'] }, half);
  });

  test('the fault router-retries-midstream: tokens come twice', () =>
    withFleet({ faults: ['router-retries-midstream'] }, async (fleet) => {
      const stream = fleet.complete(12, 'again');
      await flowing(stream);
      fleet.engines[await fleet.servedBy('again')].child.kill('SIGKILL');
      const done = await stream.over;
      assert.equal(done.end, 'complete');
      assert.equal(tokens(done.body).filter((n) => n === 0).length, 2);
    }));
});

describe('the rest', { concurrency: 3 }, () => {
  test('a worker leaves on its deletion timestamp and on lost labels; its streams go on; the view follows', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(20, 'long');
      await flowing(stream);
      fleet.api.terminate('a');
      await fleet.workers('b');
      assert.deepEqual(await fleet.observed(), { b: true });
      assert.equal((await stream.over).end, 'complete');
      fleet.api.relabel('b', { app: 'md' });
      await fleet.workers();
      const view = parseObserverView((await fleet.get(observer.path)).body);
      assert.deepEqual(view.workers, []);
      assert.ok(view.router.boot_generation > 0);
    }));

  test('what goes through: request id, authorization, no other header of a client; own paths', () =>
    withFleet({}, async (fleet) => {
      const sent = { 'x-request-id': 'kept', 'x-foo': 'dropped' };
      const done = await fleet.post('/v1/completions', { model: 'tiny', prompt: 'p', max_tokens: 1 }, sent).over;
      assert.equal(done.headers['x-request-id'], 'kept');
      const messages = [{ role: 'user', content: 'hello' }];
      const chat = await fleet.post('/v1/chat/completions', { model: 'tiny', messages, max_tokens: 2 }).over;
      assert.equal(chat.status, 200);
      assert.equal((await fleet.get('/metrics')).status, 404);
      assert.equal((await fleet.get('/readiness')).status, 200);
      const page = (await fleet.get('/metrics', METRICS_PORT)).body;
      assert.equal(sumGauge(page, sglangGateway.metrics.poolSize), 2);
      assert.equal(sumGauge(page, sglangGateway.metrics.requests), 2);
    }));

  test('SIGTERM: refuses at once; cuts what is open after its grace, and exits with 0 all the same', () =>
    withFleet({ args: ['--shutdown-grace-period-secs', '3'] }, async (fleet) => {
      const stream = fleet.complete(4000);
      await flowing(stream);
      const at = performance.now();
      fleet.router.child.kill('SIGTERM');
      await fleet.router.line(/Received terminate signal/);
      assert.match((await fleet.get('/health')).end ?? '', /ECONNREFUSED|ECONNRESET|EPIPE/);
      assert.equal((await stream.over).end, 'fin');
      assert.ok(performance.now() - at >= 3000 / 5 - 5);
      assert.equal((await fleet.router.exited).code, 0);
    }));
});
