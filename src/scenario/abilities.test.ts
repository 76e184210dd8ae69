import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios } from '../../suites/scenarios.ts';
import { everyAbility, unsupportedReasons } from './abilities.ts';

const named = (id: string) => {
  const found = scenarios.find((s) => s.id === id);
  assert.ok(found, id);
  return found;
};

test('everything can be tried on a target with every ability', () => {
  for (const scenario of scenarios) assert.deepEqual(unsupportedReasons(scenario, ['any'], everyAbility), []);
});

test('a target that lacks an ability: the reason names it and what asks for it', () => {
  const [reason, ...more] = unsupportedReasons(named('slow-engine'), [], ['doubles', 'faults']);
  assert.match(reason ?? '', /lacks "own-node" .*: "create-waiting-pod" needs a Node whose accelerators are all taken/);
  assert.deepEqual(more, []);
  assert.deepEqual(unsupportedReasons(named('one-gauge'), [], ['doubles']), []);
  assert.match(
    unsupportedReasons(named('one-gauge'), ['hook-missing'], ['doubles'])[0] ?? '',
    /"faults".*hook-missing/,
  );
  assert.match(unsupportedReasons(named('one-gauge'), [], [])[0] ?? '', /"doubles".*quiesce\/tiny/);
});
