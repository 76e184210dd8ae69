import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerRecord } from './container-record.ts';

test('a held status tells of the end only when it is released; readiness goes on', () => {
  let changes = 0;
  const record = new ContainerRecord({ name: 'main', image: 'x' }, () => (changes += 1));
  assert.equal('resources' in record.status(), false);
  record.running();
  record.setStarted();
  record.setReady(true);
  assert.deepEqual(record.status().resources, {});
  record.hold();
  record.setReady(false);
  assert.equal(record.status().ready, false);
  record.ended(0);
  assert.ok('running' in record.status().state);
  assert.equal(record.end?.exitCode, 0);
  const before = changes;
  record.release();
  assert.equal(changes, before + 1);
  assert.ok('terminated' in record.status().state);
});
