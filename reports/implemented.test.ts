import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, Verdict } from '../src/judge/verdict.ts';
import { compareImplemented, implementedLines } from './implemented.ts';

const verdict = (requirement: string, outcome: Outcome, seen = '', scenario = 'leaves'): Verdict => ({
  requirement,
  outcome,
  scenario,
  source: 'a page',
  findings: [{ outcome, formula: '-', seen, evidence: [] }],
  again: 'quiesce judge .',
});
const known = 'left early. As implemented, known difference hook-absent-gauge-is-idle: the document says';
const expected = new Map([['leaves', ['GS-DW-01']]]);

test('a fail that names its known difference, where one is expected, is met', () => {
  const result = compareImplemented([verdict('GS-DW-01', 'fail', known), verdict('GS-DW-02', 'pass')], expected);
  assert.deepEqual([result.met.length, result.besides, result.absent], [1, [], []]);
  assert.match(implementedLines('operator', result), /^operator as implemented: fails exactly by .*: GS-DW-01$/);
});

test('a fail elsewhere, or one that names no difference, is told as such', () => {
  const other = [verdict('GS-DW-01', 'fail', known, 'stays'), verdict('GS-DW-02', 'fail', known)];
  assert.deepEqual(compareImplemented(other, expected).besides, ['GS-DW-01 in stays', 'GS-DW-02 in leaves']);
  const result = compareImplemented([verdict('GS-DW-01', 'fail', 'left early')], expected);
  assert.deepEqual([result.besides, result.absent], [['GS-DW-01 in leaves'], ['GS-DW-01 in leaves']]);
  assert.match(implementedLines('operator', result), /fails by .*\n.*fails besides.*\n.*did not fail/);
});

test('what was tried and did not fail is absent, what was not tried is not', () => {
  assert.deepEqual(compareImplemented([verdict('GS-DW-01', 'inconclusive')], expected).absent, ['GS-DW-01 in leaves']);
  const nothing = compareImplemented([], expected);
  assert.deepEqual(nothing, { met: [], besides: [], absent: [] });
  assert.doesNotMatch(implementedLines('operator', nothing), /exactly/);
});
