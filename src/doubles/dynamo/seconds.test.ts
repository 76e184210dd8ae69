import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graceOf, wholeSeconds } from './seconds.ts';

test('a grace period: numbers as they are, the rest told and replaced', () => {
  const told: string[] = [];
  const grace = (text: string | undefined) => graceOf('P', text, 5, (_level, message) => void told.push(message));
  assert.deepEqual(['2.5', '0', '7', undefined].map(grace), [2.5, 0, 7, 5]);
  assert.deepEqual(told, []);
  assert.deepEqual(['abc', '', '-1'].map(grace), [5, 5, 0]);
  assert.deepEqual(told, [
    "Invalid P='abc'; using default 5.0",
    "Invalid P=''; using default 5.0",
    "Negative P='-1'; using 0",
  ]);
});

test('a timeout is whole seconds, or the default without a word', () => {
  const timeouts = ['10', '0', 'abc', '-1', '2.5', '', undefined];
  assert.deepEqual(
    timeouts.map((text) => wholeSeconds(text, 5)),
    [10, 0, 5, 5, 5, 5, 5],
  );
});
