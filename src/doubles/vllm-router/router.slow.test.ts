import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sumGauge } from '../../engines/metrics.ts';
import { observer, parseObserverView } from '../../routers/observer.ts';
import { vllmRouter } from '../../routers/vllm-router.ts';
import { bundleDoubles } from '../testing/bundled.ts';
import { events, tokens } from '../testing/wire.ts';
import {
  type Fleet,
  type FleetOptions,
  flowing,
  labels,
  METRICS_PORT,
  withFleet as withFleetOf,
} from '../router/fleet.testing.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('vllm', 'vllm-router')));
after(() => programs.remove());
const withFleet = (options: FleetOptions, body: (fleet: Fleet) => Promise<void>) =>
  withFleetOf('vllm-router', programs.paths, options, body);

describe('choice', { concurrency: 3 }, () => {
  test('round robin takes turns; the request id goes through, one is made where there is none', () =>
    withFleet({}, async (fleet) => {
      for (const id of ['1', '2', '3', '4']) {
        const done = await fleet.complete(1, id).over;
        assert.equal(done.headers['x-request-id'], id);
        assert.equal(done.end, 'complete');
      }
      assert.deepEqual(await Promise.all(['1', '2', '3', '4'].map(fleet.servedBy)), ['a', 'b', 'a', 'b']);
      assert.ok((await fleet.complete(1).over).headers['x-request-id']);
    }));

  test('cache_aware sends equal prompts to one worker', () =>
    withFleet({ policy: 'cache_aware' }, async (fleet) => {
      const ids = ['1', '2', '3'];
      for (const id of ids) await fleet.complete(1, id, 'the same').over;
      assert.equal(new Set(await Promise.all(ids.map(fleet.servedBy))).size, 1);
    }));

  test('a worker enters when ready, leaves on unreadiness, lost labels, deletion timestamp and its end', () =>
    withFleet({}, async ({ api, workers, engines, get }) => {
      await workers('a', 'b');
      api.setReady('a', false);
      await workers('b');
      api.setReady('a', true);
      await workers('b', 'a');
      api.relabel('a', { app: 'md' });
      await workers('b');
      api.relabel('a', labels);
      await workers('b', 'a');
      api.terminate('b');
      await workers('a');
      api.remove('a');
      await workers();
      assert.equal((await get('/readiness')).status, 503);
      api.add('c', engines.a.host, labels, false);
      api.add('d', engines.b.host, { app: 'other' });
      api.setReady('c', true);
      await workers('a');
    }));

  test('a stream on a leaving replica goes on', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(20, 'long');
      await flowing(stream);
      fleet.api.terminate('a');
      await fleet.workers('b');
      const done = await stream.over;
      assert.equal(done.end, 'complete');
      assert.equal(tokens(done.body).length, 20);
      assert.equal(await fleet.servedBy('long'), 'a');
    }));
});

describe('failures', { concurrency: 3 }, () => {
  test('no worker: 503; refused: 500, tried once', () =>
    withFleet({}, async (fleet) => {
      fleet.api.terminate('b');
      await fleet.engines.a.stop();
      const refused = await fleet.complete(1).over;
      assert.equal(refused.status, 500);
      assert.match(refused.body, /^Request failed: error sending request for url \(http:[^)]+\)$/);
      fleet.api.remove('a');
      await fleet.workers();
      const nobody = await fleet.complete(1).over;
      assert.equal(nobody.status, 503);
      assert.equal(nobody.body, vllmRouter.noWorkers);
    }));

  test('an engine that dies in mid-stream: FIN without the end of the message, and no retry', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(4000, 'cut');
      await flowing(stream);
      fleet.engines.a.child.kill('SIGKILL');
      const done = await stream.over;
      assert.equal(done.status, 200);
      assert.equal(done.end, 'fin');
      assert.ok(!done.body.includes('[DONE]'));
      assert.equal(
        fleet.engines.b.lines.some((line) => line.includes('cmpl-cut')),
        false,
      );
    }));

  test('aborts and errors of an engine pass through as they are', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(4000);
      await flowing(stream);
      fleet.engines.a.child.kill('SIGTERM');
      const done = await stream.over;
      assert.equal(done.end, 'complete');
      assert.match(done.body, /"finish_reason":"abort"/);
      assert.equal(events(done.body).at(-1), '[DONE]');
    }));

  test('a client that hangs up ends the request on the engine', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(4000);
      await flowing(stream);
      await fleet.engines.a.settled(1, 0);
      stream.hangUp();
      await fleet.engines.a.settled(0, 0);
    }));
});

describe('view of the endpoints', { concurrency: 3 }, () => {
  test('who can be chosen, by URL; another revision with each change, one boot generation', () =>
    withFleet({}, async (fleet) => {
      const ask = async () => parseObserverView((await fleet.get(observer.path)).body);
      const first = await ask();
      assert.deepEqual(await fleet.observed(), { a: true, b: true });
      const [row] = first.workers;
      assert.equal(row?.role, 'regular');
      assert.equal(row.port, '8000');
      assert.ok(row.url.endsWith(row.pod_hint));
      assert.equal((await ask()).registry_revision, first.registry_revision);
      fleet.api.terminate('a');
      await fleet.workers('b');
      const then = await ask();
      assert.deepEqual(await fleet.observed(), { b: true });
      assert.ok(then.registry_revision > first.registry_revision);
      assert.equal(then.router.boot_generation, first.router.boot_generation);
    }));

  test('ten failures open the breaker of a worker: it is out of selection and gets no request', () =>
    withFleet({}, async (fleet) => {
      await fleet.engines.a.stop();
      const statuses: number[] = [];
      for (let i = 0; i < 24; i += 1) statuses.push((await fleet.complete(1).over).status);
      assert.equal(statuses.filter((status) => status === 500).length, 10);
      assert.deepEqual(await fleet.observed(), { a: false, b: true });
    }));

  test('health checks take a worker out, and in again', () =>
    withFleet({ args: ['--health-check-interval-secs', '1'] }, async (fleet) => {
      fleet.engines.a.child.kill('SIGSTOP');
      await fleet.router.line(/is unhealthy/);
      assert.deepEqual(await fleet.observed(), { a: false, b: true });
      fleet.engines.a.child.kill('SIGCONT');
      await fleet.router.line(/is healthy/);
      assert.deepEqual(await fleet.observed(), { a: true, b: true });
    }));
});

describe('endpoints', { concurrency: 3 }, () => {
  test('own paths, metrics, and what is passed on to a worker', () =>
    withFleet({}, async ({ get, complete, engines }) => {
      assert.equal((await get('/health')).body, 'All servers healthy');
      assert.equal((await get('/liveness')).status, 200);
      assert.match((await get('/readiness')).body, /"healthy_workers":2/);
      assert.match((await get('/workers')).body, /"is_healthy":true/);
      assert.match((await get('/v1/models')).body, /"id":"tiny"/);
      assert.ok(!(await get('/metrics', METRICS_PORT)).body.includes(`${vllmRouter.metrics.requestErrors}{`));
      await complete(1).over;
      const page = (await get('/metrics', METRICS_PORT)).body;
      assert.equal(sumGauge(page, vllmRouter.metrics.activeWorkers), 2);
      assert.equal(sumGauge(page, vllmRouter.metrics.processed), 2);
      assert.equal(sumGauge(page, vllmRouter.metrics.running), 0);
      assert.ok(
        page.includes(`${vllmRouter.metrics.decisions}{policy="round_robin",worker="http://${engines.b.host}:8000"} 1`),
      );
    }));

  test('SIGTERM: refuses at once, finishes what is open, exits with 0', () =>
    withFleet({}, async (fleet) => {
      const stream = fleet.complete(20);
      await flowing(stream);
      fleet.router.child.kill('SIGTERM');
      await fleet.router.line(/Received terminate signal/);
      assert.match((await fleet.get('/health')).end ?? '', /ECONNREFUSED|ECONNRESET|EPIPE/);
      fleet.router.child.kill('SIGTERM');
      assert.equal((await stream.over).end, 'complete');
      assert.equal((await fleet.router.exited).code, 0);
    }));
});
