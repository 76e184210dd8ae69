import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCatalogue } from './check.ts';
import { entries } from './entries.ts';
import { tolerancesOf, unknownWords } from './formula.ts';
import { nearest } from './nearest.ts';
import type { Requirement } from './requirement.ts';

const shared = {
  document: 'gpustack',
  section: 'Drain window',
  versions: ['v1'],
  outside: 'It was taken out.',
} as const;
const whole: Requirement = {
  ...shared,
  id: 'GS-DW-01',
  level: 'MUST',
  statement: 'It holds.',
  source: { page: 'a page', lines: [3, 3], sentence: '0'.repeat(64) },
  needs: ['router:any'],
};
const problems = (change: Partial<Requirement>): string[] => checkCatalogue([{ ...whole, ...change }], ['read']);

test('a complete requirement has no problem', () => {
  assert.deepEqual(problems({}), []);
  assert.deepEqual(problems({ source: { page: 'a page', table: 'a table' } }), []);
});

for (const [what, change, expected] of [
  ['an id of another form', { id: 'GS-DW-1' }, /is no id/],
  ['an id of another document', { id: 'DY-SG-01' }, /does not belong to gpustack/],
  ['a statement that is no sentence', { statement: 'holds' }, /no sentence/],
  ['a section that is no heading', { section: 'drain-window' }, /no heading/],
  ['no version', { versions: [] }, /no version/],
  ['some versions only, without a why', { outside: undefined }, /why it holds for some versions only/],
  ['a later wording of another version', { later: { versions: ['v2'], statement: 'So.' } }, /otherwise in v2/],
  ['a source without sentence and table', { source: { page: 'a page' } }, /neither a sentence nor a table/],
  ['lines without a sentence', { source: { page: 'a page', lines: [1, 2], table: 't' } }, /lines without a sentence/],
  ['a hash that is none', { source: { page: 'a page', lines: [1, 2], sentence: 'abc' } }, /no SHA-256/],
  ['a need that nobody knows', { needs: ['router:mine'] }, /features\.ts does not know/],
  ['a symbol that nobody knows', { formula: 'S <= Q + 3r' }, /uses Q, which symbols/],
  ['a tolerance without a number', { tolerances: ['read', 'mood'] }, /"mood", which has no number/],
] as [string, Partial<Requirement>, RegExp][]) {
  test(`${what} is a problem`, () => {
    assert.match(problems(change).join('\n'), expected);
    assert.equal(problems(change).length, 1);
  });
}

test('an id that stands twice is a problem', () => {
  assert.deepEqual(checkCatalogue([whole, whole], []), ['GS-DW-01: stands twice']);
});

test('the tolerances of a row follow from its formula', () => {
  const [row] = entries(shared, [{ ...whole, formula: 'S in [x + 1, x + 2 + 3r + g + p]' }]);
  assert.deepEqual(row?.tolerances, ['read', 'gaugeLag', 'processStart']);
  assert.deepEqual(tolerancesOf('S <= K + G - 3'), []);
  assert.deepEqual(unknownWords('2r + constructor'), ['constructor']);
});

test('the nearest names come first, and a far one never', () => {
  assert.deepEqual(nearest('hook-mising', ['hook-missing', 'hook-one-idle-read', 'grace-not-written']), [
    'hook-missing',
  ]);
  assert.deepEqual(nearest('zzzzzz', ['hook-missing']), []);
});
