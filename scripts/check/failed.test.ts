import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failedTests, failedTrials, failedVerdicts } from './failed.mjs';

test('failed tests are named, and a command without any names itself', () => {
  const output = '✖ early noise (1ms)\n✖ failing tests:\n\ntest at a.test.ts:1:1\n✖ it holds (12.5ms)\n  Error: no\n';
  assert.deepEqual(failedTests({ name: 'unit tests', code: 1, output, tests: true }), ['unit tests: it holds']);
  assert.deepEqual(failedTests({ name: 'unit tests', code: 7, output: 'crash', tests: true }), [
    'unit tests: ended with 7',
  ]);
  assert.deepEqual(failedTests({ name: 'lint', code: 1, output: '✖ 3 problems' }), ['lint: ended with 1']);
  assert.deepEqual(failedTests({ name: 'lint', code: 0, output: '' }), []);
});

test('a verdict that is no pass is told with what was seen', () => {
  const finding = (outcome: string, seen: string) => ({ outcome, seen });
  const verdicts = [
    { requirement: 'A-1', outcome: 'pass' as const, scenario: 's', findings: [finding('pass', 'well')] },
    { requirement: 'A-2', outcome: 'unsupported' as const, scenario: 's', findings: [] },
    {
      requirement: 'A-3',
      outcome: 'inconclusive' as const,
      scenario: 's',
      findings: [finding('pass', 'well'), finding('inconclusive', 'a gap')],
    },
  ];
  assert.deepEqual(failedVerdicts(verdicts), ['s: A-3 inconclusive: a gap']);
});

test('the lines of a detection that went wrong are taken from its output', () => {
  const output =
    '| table |\nmissed: f in s: A-1 pass: well (b)\nfalse alarm: g in s: A-2 fail (b)\nrequirements in 2 trials';
  assert.deepEqual(failedTrials(output), ['missed: f in s: A-1 pass: well (b)', 'false alarm: g in s: A-2 fail (b)']);
  assert.deepEqual(failedTrials('requirements in 2 trials: 3 caught, 0 missed, 0 false alarms'), []);
});
