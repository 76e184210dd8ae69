import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK_SIZE, claimServiceRange } from './service-range.ts';

test('two clusters that want the same addresses get different ones, and a released block is free again', async () => {
  const one = await claimServiceRange(7);
  const two = await claimServiceRange(7);
  assert.deepEqual([one.first, two.first], [7 * BLOCK_SIZE, 8 * BLOCK_SIZE]);
  one.release();
  const three = await claimServiceRange(7);
  assert.equal(three.first, one.first);
  two.release();
  three.release();
});
