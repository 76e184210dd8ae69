import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../usage-error.ts';
import { chooseServing, readyMsOf } from './serving.ts';

test('a model with what it runs on', () => {
  assert.equal(chooseServing({}), undefined);
  assert.deepEqual(chooseServing({ model: 'a/b', engine: { vLLM: 'image:1' }, instanceType: 'l4' }), {
    model: 'a/b',
    releases: { vLLM: 'image:1' },
    instanceType: 'l4',
  });
});

test('what contradicts it, or means nothing without it, is refused with the next step', () => {
  const refuses = (choice: Parameters<typeof chooseServing>[0], text: RegExp) =>
    assert.throws(
      () => chooseServing(choice),
      (error) => error instanceof UsageError && text.test(error.message),
    );
  refuses({ engine: { vLLM: 'image:1' } }, /--engine without --model[\s\S]*add --model NAME/);
  refuses({ instanceType: 'l4' }, /--instance-type without --model/);
  refuses({ model: ' ' }, /the name of a model/);
  refuses({ model: 'a/b', doubleImages: true }, /--model with --double-images/);
});

test('real engines have longer to be ready', () => {
  assert.equal(readyMsOf({}), undefined);
  assert.equal(readyMsOf({ model: 'a/b' }), 900_000);
  assert.equal(readyMsOf({ model: 'a/b', ready: 90 }), 90_000);
});
