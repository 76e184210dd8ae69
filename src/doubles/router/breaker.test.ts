import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeScale } from '../../time/scale.ts';
import { Breaker } from './breaker.ts';

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('ten failures in a row open it; a success in between does not', () => {
  const breaker = new Breaker({ failures: 10, successes: 3, open: 60 }, new TimeScale(5));
  for (let i = 0; i < 9; i += 1) breaker.record(false);
  breaker.record(true);
  for (let i = 0; i < 9; i += 1) breaker.record(false);
  assert.equal(breaker.state, 'closed');
  breaker.record(false);
  assert.equal(breaker.state, 'open');
  assert.equal(breaker.letsPass, false);
});

test('half open after its time: a failure opens it again, three successes close it', async () => {
  const breaker = new Breaker({ failures: 1, successes: 3, open: 1 }, new TimeScale(100));
  breaker.record(false);
  assert.equal(breaker.letsPass, false);
  await passed(15);
  assert.equal(breaker.state, 'half-open');
  breaker.record(false);
  assert.equal(breaker.state, 'open');
  await passed(15);
  breaker.record(true);
  breaker.record(true);
  assert.equal(breaker.state, 'half-open');
  breaker.record(true);
  assert.equal(breaker.state, 'closed');
});
