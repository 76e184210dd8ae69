import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.ts';

test('two do not work at once, and a failure frees the lock', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-lock-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'below/lock');
  let at = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++at);
    await new Promise((resolve) => setTimeout(resolve, 100));
    at -= 1;
    throw new Error('over');
  };
  const one = () => withLock(path, () => undefined, work);
  const results = await Promise.allSettled([one(), one(), one()]);
  assert.equal(most, 1);
  assert.deepEqual(
    results.map((result) => result.status === 'rejected' && (result.reason as Error).message),
    ['over', 'over', 'over'],
  );
});
