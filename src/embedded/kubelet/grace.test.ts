import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeScale } from '../../time/scale.ts';
import { GraceClock } from './grace.ts';
import { pause } from './stamps.ts';

const scale = new TimeScale(20); // 50 ms a documented second
const never = new Promise<void>(() => {});

test('what was waited for is taken off in whole seconds, cut', async () => {
  const clock = new GraceClock(scale, 30);
  assert.equal(await clock.wait(pause(scale.toMs(2.3))), true);
  assert.ok(clock.left === 28 || clock.left === 27, `${clock.left} left`);
});

test('a wait that outlasts the grace uses all of it up', async () => {
  const clock = new GraceClock(scale, 2);
  const begun = performance.now();
  assert.equal(await clock.wait(never), false);
  assert.equal(clock.left, 0);
  assert.ok(performance.now() - begun >= scale.toMs(2) - 1);
});

test('a later delete brings the end forward, never back', async () => {
  const clock = new GraceClock(scale, 100);
  const begun = performance.now();
  const wait = clock.wait(never);
  clock.shorten(2);
  clock.shorten(50);
  assert.equal(await wait, false);
  assert.ok(performance.now() - begun < scale.toMs(50));
});
