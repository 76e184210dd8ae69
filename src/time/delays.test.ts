import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Delays } from './delays.ts';

test('no delay at all is all zeros', () => {
  assert.deepEqual(new Delays().summary(), { count: 0, p50: 0, p99: 0, max: 0 });
});

test('a percentile is never below the true one and at most one bucket above it', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 20_000, noNaN: true }), { minLength: 1 }), (values) => {
      const delays = new Delays();
      values.forEach((value) => delays.add(value));
      const sorted = [...values].sort((a, b) => a - b);
      for (const share of [0.5, 0.99, 1]) {
        const truth = sorted[Math.ceil(values.length * share) - 1] ?? 0;
        const told = delays.percentile(share);
        assert.ok(told >= truth, `${told} below ${truth}`);
        if (truth < 9999) assert.ok(told <= truth + 1.1, `${told} far above ${truth}`);
      }
      assert.equal(delays.summary().max, sorted.at(-1));
    }),
  );
});
