import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bundleDoubles } from '../testing/bundled.ts';
import { tokens } from '../testing/wire.ts';
import { type Fleet, type FleetOptions, flowing, withFleet as withFleetOf } from '../router/fleet.testing.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('vllm', 'vllm-router')));
after(() => programs.remove());
const withFleet = (options: FleetOptions, body: (fleet: Fleet) => Promise<void>) =>
  withFleetOf('vllm-router', programs.paths, options, body);

describe('faults of the router', { concurrency: 3 }, () => {
  test('router-keeps-leaving: a leaving replica stays until its Pod is gone', () =>
    withFleet({ faults: ['router-keeps-leaving'] }, async (fleet) => {
      fleet.api.terminate('a');
      fleet.api.terminate('b');
      await fleet.workers('a', 'b');
      assert.equal((await fleet.complete(1, 'late').over).end, 'complete');
      assert.equal(await fleet.servedBy('late'), 'a');
      fleet.api.remove('a');
      await fleet.workers('b');
    }));

  test('router-drops-late: a leaving replica stays for 8 documented seconds', () =>
    withFleet({ faults: ['router-drops-late'] }, async (fleet) => {
      const at = performance.now();
      fleet.api.terminate('a');
      await fleet.complete(1, 'late').over;
      assert.equal(await fleet.servedBy('late'), 'a');
      fleet.api.setReady('b', true); // whatever else happens does not put it off
      await fleet.workers('b');
      assert.ok(performance.now() - at >= 8000 / 5 - 2);
    }));

  test('router-ignores-labels: a replica that left the selector stays, and is listed', () =>
    withFleet({ faults: ['router-ignores-labels'] }, async (fleet) => {
      fleet.api.relabel('a', { app: 'md' });
      fleet.api.setReady('b', false);
      await fleet.workers('a');
      assert.deepEqual(await fleet.observed(), { a: true });
      fleet.api.terminate('a');
      await fleet.workers();
    }));

  test('router-keeps-withdrawn: chosen though it is not listed, until it is leaving', () =>
    withFleet({ faults: ['router-keeps-withdrawn'] }, async (fleet) => {
      fleet.api.relabel('a', { app: 'md' });
      fleet.api.setReady('b', false);
      await fleet.workers();
      assert.deepEqual(await fleet.observed(), {});
      assert.equal((await fleet.complete(1, 'still').over).end, 'complete');
      assert.equal(await fleet.servedBy('still'), 'a');
      fleet.api.terminate('a');
      fleet.api.setReady('b', true);
      await fleet.workers('b');
      await fleet.complete(1, 'then').over;
      assert.equal(await fleet.servedBy('then'), 'b');
    }));

  test('observer-lists-withdrawn: listed though it is not chosen', () =>
    withFleet({ faults: ['observer-lists-withdrawn'] }, async (fleet) => {
      fleet.api.relabel('a', { app: 'md' });
      await fleet.workers('b');
      assert.deepEqual(await fleet.observed(), { a: true, b: true });
      for (const id of ['1', '2']) await fleet.complete(1, id).over;
      assert.deepEqual(await Promise.all(['1', '2'].map(fleet.servedBy)), ['b', 'b']);
    }));

  test('router-retries-before-start: a refused worker costs no request', () =>
    withFleet({ faults: ['router-retries-before-start'] }, async (fleet) => {
      await fleet.engines.a.stop();
      for (const id of ['1', '2']) assert.equal((await fleet.complete(1, id).over).end, 'complete');
      assert.deepEqual(await Promise.all(['1', '2'].map(fleet.servedBy)), ['b', 'b']);
    }));

  for (const [how, engine] of [
    ['abort', { behaviour: { abort: 'flush' } }],
    ['error frame', { behaviour: { abort: 'error' } }],
    ['silence', { behaviour: { abort: 'silence' } }],
    ['closed connection', {}],
  ] as const) {
    test(`router-retries-midstream: after ${how} the answer of another replica follows`, () =>
      withFleet({ faults: ['router-retries-midstream'], engine }, async (fleet) => {
        const stream = fleet.complete(12, 'again');
        await flowing(stream);
        fleet.engines.a.child.kill(how === 'closed connection' ? 'SIGKILL' : 'SIGTERM');
        const done = await stream.over;
        assert.equal(done.end, 'complete');
        const seen = tokens(done.body);
        assert.equal(seen.filter((n) => n === 0).length, 2);
        assert.equal(seen.at(-1), 11);
        assert.ok(!done.body.includes('abort') && !done.body.includes('"error"'));
      }));
  }
});
