import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TimeScale } from '../time/scale.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { LoadPlanError, planLoad } from './plan.ts';
import type { PlacedLoad, SteadyArrivals } from './plan.ts';

type Load = NonNullable<Scenario['load']>;

const scale = new TimeScale(5);
const to = { router: 'chat' };
const steady = (more: Partial<SteadyArrivals> = {}): SteadyArrivals => ({
  name: 'steady',
  to,
  rate: 4,
  arrivals: 'poisson',
  starts: -2,
  ends: 10,
  tokens: 5,
  ...more,
});

test("a scenario's own load can be planned as it stands", () => {
  const placed: Load['placed'] = [{ name: 'long', to: { case: 'leaver' }, starts: -1, ends: 20, waitsForKv: 2 }];
  const constant: Load['steady'] = [{ ...steady(), arrivals: 'constant' }];
  assert.equal(planLoad({ placed, steady: constant, seed: 1, scale }).length, 49);
});

test('the tokens of a placed request end its stream at the planned instant', () => {
  const [one] = planLoad({
    placed: [{ name: 'long', to, starts: -1, ends: 19, waitsForKv: 2 }],
    tokenSeconds: 0.5,
    seed: 1,
    scale,
  });
  assert.equal(one?.tokens, 36);
  assert.equal(one?.at, -1);
});

test('copies follow each other by ten milliseconds of the wall', () => {
  const plan = planLoad({ placed: [{ name: 'pair', to, starts: 0, tokens: 3, copies: 3 }], seed: 1, scale });
  assert.deepEqual(
    plan.map(({ id, at }) => [id, scale.toMs(at)]),
    [
      ['pair-1', 0],
      ['pair-2', 10],
      ['pair-3', 20],
    ],
  );
});

test('constant arrivals keep their rate, and the end is outside', () => {
  const plan = planLoad({ steady: [steady({ arrivals: 'constant' })], seed: 1, scale });
  assert.equal(plan.length, 48);
  assert.equal(plan[1]?.at, -1.75);
  assert.equal(plan.at(-1)?.at, 9.75);
});

test('Poisson arrivals are the same for the same seed, sorted, inside the window and about as many as the rate says', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const load = { steady: [steady({ rate: 50 })], seed, scale };
      const plan = planLoad(load);
      assert.deepEqual(planLoad(load), plan);
      assert.ok(plan.every(({ at }, i) => at >= -2 && at < 10 && at >= (plan[i - 1]?.at ?? -Infinity)));
      // 600 expected, standard deviation sqrt(600): six of them either way.
      assert.ok(Math.abs(plan.length - 600) < 150, `${plan.length} arrivals`);
    }),
    { numRuns: 200 },
  );
});

test('a further load leaves the others where they were', () => {
  const alone = planLoad({ steady: [steady()], seed: 7, scale });
  const both = planLoad({ steady: [steady({ name: 'other' }), steady()], seed: 7, scale });
  assert.deepEqual(
    both.filter(({ group }) => group === 'steady'),
    alone,
  );
  assert.notDeepEqual(
    both.filter(({ group }) => group === 'other').map(({ at }) => at),
    alone.map(({ at }) => at),
  );
});

test('a load that makes no sense is refused with the value seen', () => {
  const placed = (more: Partial<PlacedLoad>) => [{ name: 'bad', to, starts: 0, ...more }];
  const refuse = (load: { placed?: PlacedLoad[]; steady?: SteadyArrivals[] }, message: RegExp) =>
    assert.throws(
      () => planLoad({ ...load, seed: 1, scale }),
      (error) => error instanceof LoadPlanError && message.test(error.message),
    );
  refuse({ placed: placed({}) }, /either ends or tokens/);
  refuse({ placed: placed({ ends: Infinity }) }, /ends is Infinity/);
  refuse({ placed: placed({ ends: -3 }) }, /tokens is -30/);
  refuse({ placed: placed({ tokens: 1.5 }) }, /tokens is 1.5/);
  refuse({ placed: placed({ tokens: 1, name: 'a b' }) }, /letters/);
  refuse({ steady: [steady({ rate: 0 })] }, /rate is 0/);
  refuse({ steady: [steady(), steady()] }, /twice/);
});

test('of an engine with a pace of its own a request asks for as many tokens as last as long', () => {
  const load = { placed: [{ name: 'long', to, starts: -1, ends: 19 }], steady: [steady()], tokenSeconds: 0.5, seed: 1 };
  const told = planLoad({ ...load, scale });
  const paced = planLoad({ ...load, scale, pace: 0.02 });
  const lasts = (requests: typeof told) =>
    requests.map(({ id, at, tokens, tokenSeconds }) => [id, at, tokens * tokenSeconds]);
  assert.deepEqual(lasts(paced), lasts(told));
  assert.equal(paced.find(({ id }) => id === 'long-1')?.tokens, 1000);
  assert.equal(planLoad({ ...load, scale, pace: 1e6 })[0]?.tokens, 1, 'a request for no token is none');
  assert.throws(() => planLoad({ ...load, scale, pace: NaN }), LoadPlanError);
});
