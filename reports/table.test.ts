import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Requirement } from '../src/requirements/requirement.ts';
import type { Outcome, Verdict } from '../src/judge/verdict.ts';
import { coverageLine, verdictTable } from './table.ts';

const verdict = (requirement: string, outcome: Outcome, formula = 'S in [D + 6, K + 6 + 2r + p]'): Verdict => ({
  requirement,
  outcome,
  scenario: 'slow-engine',
  source: 'a page',
  findings: [{ outcome, formula, seen: 'S in [6.10 s, 6.20 s] after the delete of a Pod', evidence: [] }],
  again: 'quiesce judge .',
});

test('the table fits 120 columns, cuts no name, says what the symbols mean and what to do next', () => {
  const bundle = '/runs/one/bundles/slow-engine+accelerator-released-at-delete+2';
  const text = verdictTable([
    { bundle: '/runs/one/bundles/first', verdicts: [verdict('GS-DW-01', 'pass')] },
    { bundle, verdicts: [verdict('GS-DW-06', 'fail')] },
  ]);
  const lines = text.split('\n');
  assert.deepEqual(
    lines.filter((line) => line.length > 120),
    [],
  );
  assert.doesNotMatch(text, /…/);
  assert.match(text, /\+accelerator-released-at-delete/);
  assert.match(text, /^ {2}S {2}SIGTERM reaches the process$/m);
  assert.match(text, /^ {2}r {2}tolerance of 0\.1 s on the wall clock \(read\)$/m);
  assert.doesNotMatch(text, /^ {2}[xGg] {2}/m, 'no symbol that no formula uses');
  assert.ok(text.endsWith(`next: npx quiesce show ${bundle}`), 'the bundle of the worst verdict');
});

test('the coverage names every id without a verdict, neighbours as a run', () => {
  const ids = ['A-1', 'A-2', 'A-3', 'A-4', 'A-6', 'B-1', 'B-2'];
  const catalogue = ids.map((id) => ({ id }) as Requirement);
  const text = coverageLine([verdict('A-6', 'pass'), verdict('B-1', 'inconclusive')], catalogue);
  assert.equal(
    text,
    'decided 1 of 7 requirements (verdicts: 1 inconclusive, 1 pass)\nuncovered in this run: A 1 to 4; B 2',
  );
});
