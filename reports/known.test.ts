import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, Verdict } from '../src/judge/verdict.ts';
import { compareKnown, knownLines, type KnownDifference } from './known.ts';

const verdict = (requirement: string, outcome: Outcome, part?: string): Verdict => ({
  requirement,
  ...(part === undefined ? {} : { part }),
  outcome,
  scenario: 'leaves',
  source: 'a page',
  findings: [],
  again: 'quiesce judge .',
});

const entry = (requirement: string, more: Partial<KnownDifference> = {}): KnownDifference => ({
  requirement,
  version: '1.6.1',
  document: 'says so',
  program: 'does otherwise',
  evidence: 'seen',
  expires: '2027-01-01',
  ...more,
});

const compare = (verdicts: Verdict[], entries: KnownDifference[], today = '2026-12-01') => {
  const { known, fresh, gone, expired } = compareKnown(verdicts, entries, '1.6.1', today);
  const ids = (all: { requirement: string }[]) => all.map(({ requirement }) => requirement);
  return { known: ids(known), fresh: ids(fresh), gone: ids(gone), expired: ids(expired) };
};

const nothing = { known: [], fresh: [], gone: [], expired: [] };

test('a fail is known where an entry of this release names it, and fresh where none does', () => {
  const verdicts = [verdict('A-1', 'fail'), verdict('A-2', 'fail'), verdict('A-3', 'pass')];
  assert.deepEqual(compare(verdicts, [entry('A-1')]), { ...nothing, known: ['A-1'], fresh: ['A-2'] });
  assert.deepEqual(compare(verdicts, [entry('A-1', { version: '1.7.0' })]), { ...nothing, fresh: ['A-1', 'A-2'] });
});

test('an entry of one part says nothing of another', () => {
  const verdicts = [verdict('A-1', 'fail', 'router'), verdict('A-1', 'fail', 'worker')];
  const seen = compareKnown(verdicts, [entry('A-1', { part: 'router' })], '1.6.1', '2026-12-01');
  assert.deepEqual(
    [seen.known, seen.fresh].map(([one]) => one?.part),
    ['router', 'worker'],
  );
});

test('a difference is gone where it was seen to hold, and not where it was not decided', () => {
  assert.deepEqual(compare([verdict('A-1', 'pass')], [entry('A-1')]), { ...nothing, gone: ['A-1'] });
  assert.deepEqual(compare([verdict('A-1', 'inconclusive')], [entry('A-1')]), nothing);
  assert.deepEqual(compare([], [entry('A-1')]), nothing);
  const both = [verdict('A-1', 'pass', 'worker'), verdict('A-1', 'fail', 'router')];
  assert.deepEqual(compare(both, [entry('A-1')]), { ...nothing, known: ['A-1'] });
});

test('an expired entry excuses nothing', () => {
  const seen = compare([verdict('A-1', 'fail')], [entry('A-1')], '2027-01-01');
  assert.deepEqual(seen, { ...nothing, fresh: ['A-1'], expired: ['A-1'] });
});

test('the lines say what to do, and only about what there is', () => {
  const text = knownLines(
    'dynamo 1.6.1',
    compareKnown([verdict('A-1', 'pass')], [entry('A-1')], '1.6.1', '2026-12-01'),
  );
  assert.match(text, /0 known to differ, 0 not known, 1 that differ no more/);
  assert.match(text, /seen to hold: take them out.*: A-1/);
  assert.doesNotMatch(text, /expired|add them/);
});
