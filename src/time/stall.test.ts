import assert from 'node:assert/strict';
import { test } from 'node:test';
import { now } from './clock.ts';
import { LATE_MS, meterLoop, TICK_MS } from './stall.ts';

test('a blocked event loop is told as a stall that covers the blocked stretch', async () => {
  const blocked = { from: 0, to: 0 };
  const alive = setInterval(() => undefined, 1000); // the meter itself keeps no process alive
  const stall = await new Promise<[number, number]>((resolve) => {
    const meter = meterLoop((from, to) => {
      if (blocked.from === 0 || to < blocked.to) return; // a stall of the machine before ours
      meter.stop();
      clearInterval(alive);
      assert.ok(meter.summary().max >= to - from - TICK_MS - 0.001);
      resolve([from, to]);
    });
    const block = () => {
      blocked.from = now();
      while (now() < blocked.from + 4 * LATE_MS);
      blocked.to = now();
    };
    setTimeout(block, 3 * TICK_MS);
  });
  assert.ok(
    stall[0] <= blocked.from && stall[1] >= blocked.to,
    `${String(stall)} does not cover ${JSON.stringify(blocked)}`,
  );
});
