import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instancesIn, modelsIn } from './listed.ts';

const health = (...instances: object[]) => JSON.stringify({ status: 'healthy', instances });
const endpoint = (id: number, namespace?: string) => ({ instance_id: id, endpoint: 'generate', namespace });

test('an instance counts once, however many endpoints it has, and those of other graphs do not', () => {
  const body = health(endpoint(1, 'q-a'), endpoint(1, 'q-a'), endpoint(2, 'q-a'), endpoint(3, 'q-b'));
  assert.equal(instancesIn(body, 'q-a'), 2);
  assert.equal(instancesIn(body, 'q-c'), 0);
  assert.equal(instancesIn(health(endpoint(1), endpoint(2)), 'q-a'), 2);
});

test('what is no such body lists nothing', () => {
  for (const body of [undefined, '', '{"instances":[{"inst', '{}']) {
    assert.equal(instancesIn(body, 'q-a'), 0);
    assert.equal(modelsIn(body), 0);
  }
  assert.equal(modelsIn('{"data":[{"id":"quiesce/tiny"}]}'), 1);
});
