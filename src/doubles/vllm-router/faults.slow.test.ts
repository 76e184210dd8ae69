import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bundleDoubles } from '../testing/bundled.ts';
import { tokens } from '../testing/wire.ts';
import { type Fleet, type FleetOptions, flowing, withFleet as withFleetOf } from './fleet.testing.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('vllm', 'vllm-router')));
after(() => programs.remove());
const withFleet = (options: FleetOptions, body: (fleet: Fleet) => Promise<void>) =>
  withFleetOf(programs.paths, options, body);

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
