import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences } from './differences.mjs';

const expected = { verdicts: { leaves: { 'A-1': 'pass', 'A-2 worker': 'fail' } } };
const verdict = (requirement: string, outcome: string, part?: string) => ({
  ...{ scenario: 'leaves', requirement, outcome },
  ...(part === undefined ? {} : { part }),
});
const compare = (...verdicts: ReturnType<typeof verdict>[]) => differences(expected, [{ verdicts }]);

test('the same verdicts are no difference, a fail among them', () => {
  const seen = compare(verdict('A-1', 'pass'), verdict('A-2', 'fail', 'worker'));
  assert.deepEqual(seen, { same: 2, different: [], notRun: [] });
});

test('another verdict, an undecided one, a missing one and one too many are differences', () => {
  assert.deepEqual(compare(verdict('A-1', 'inconclusive'), verdict('A-2', 'pass', 'worker')).different, [
    'leaves A-1: inconclusive, expected pass',
    'leaves A-2 worker: pass, expected fail',
  ]);
  assert.deepEqual(compare(verdict('A-1', 'pass'), verdict('A-3', 'pass')).different, [
    'leaves A-2 worker: no verdict, expected fail',
    'leaves A-3: pass, expected no verdict',
  ]);
});

test('what could not be tried is said, where nobody expected it', () => {
  const seen = compare(verdict('A-1', 'unsupported'), verdict('A-2', 'fail', 'worker'), verdict('A-4', 'unsupported'));
  assert.deepEqual(seen.different, ['leaves A-1: unsupported, expected pass']);
  assert.deepEqual(seen.notRun, ['leaves A-4: unsupported']);
});
