import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDocuments } from '../scripts/check/documents.mjs';
import { candidates, sentenceHash, sha256 } from '../scripts/check/sentences.mjs';
import { checkCatalogue } from '../src/requirements/check.ts';
import { UnknownRequirementError } from '../src/requirements/lookup.ts';
import { tolerances } from '../src/requirements/tolerances.ts';
import { catalogue, requirement } from './catalogue.ts';

interface Fixture {
  documents: Record<string, { title: string; sha256: string }>;
  sentences: Record<string, { document: string; lines: [number, number]; pieces: [number, number]; sha256: string }>;
}
const fixture = JSON.parse(readFileSync(new URL('source-sentences.json', import.meta.url), 'utf8')) as Fixture;
const saved = process.env['QUIESCE_SEEDS'];

/** `GS-DW-01` to `GS-DW-32`, say, less the numbers that were left free. */
const ids = (prefix: string, last: number, ...free: number[]): string[] =>
  Array.from({ length: last }, (_, i) => i + 1)
    .filter((n) => !free.includes(n))
    .map((n) => `${prefix}-${String(n).padStart(2, '0')}`);

test('the catalogue holds every id of both documents, once, and no other', () => {
  const expected = [
    ...ids('GS-DW', 37, 33),
    ...ids('GS-RP', 36),
    ...ids('GS-LM', 16),
    ...ids('DY-SG', 2),
    ...ids('DY-SQ', 8),
    ...ids('DY-ED', 3),
    ...ids('DY-FE', 7),
    ...ids('DY-MG', 5),
    ...ids('DY-CL', 5),
    ...ids('DY-ER', 6),
    ...ids('DY-K8', 4),
  ];
  assert.deepEqual(catalogue.map(({ id }) => id).sort(), expected.sort());
  assert.equal(catalogue.length, 128);
});

test('every requirement is complete', () => {
  assert.deepEqual(checkCatalogue(catalogue, Object.keys(tolerances)), []);
});

test('an unknown id names what may have been meant', () => {
  assert.equal(requirement('GS-DW-07').section, 'Drain window');
  const unknown = (id: string, expected: RegExp): void =>
    assert.throws(
      () => requirement(id),
      (error) => error instanceof UnknownRequirementError && expected.test(error.message),
    );
  unknown('GS-DW-33', /unknown requirement "GS-DW-33": did you mean GS-DW-/);
  unknown('gs-dw-07', /did you mean GS-DW-07/);
  unknown('', /quiesce list/);
  unknown('toString', /quiesce list/);
});

test('the source sentences are those of the fixture', () => {
  const named = catalogue.filter(({ source }) => source.sentence !== undefined);
  assert.deepEqual(
    Object.fromEntries(named.map(({ id, document, source }) => [id, [document, source.lines, source.sentence]])),
    Object.fromEntries(Object.entries(fixture.sentences).map(([id, s]) => [id, [s.document, s.lines, s.sha256]])),
  );
});

test('the texts hold every source sentence', { skip: saved === undefined && 'QUIESCE_SEEDS names no folder' }, () => {
  const texts = readDocuments(saved ?? '', fixture);
  for (const [name, { title, sha256: hash }] of Object.entries(fixture.documents)) {
    assert.equal(sha256(texts.get(name) ?? ''), hash, `the text "${title}" differs from the one that was read`);
  }
  for (const { id, document, source } of catalogue) {
    if (source.lines === undefined) continue;
    const there = candidates(texts.get(document) ?? '', source.lines);
    assert.ok(there.has(source.sentence ?? ''), `${id}: its sentence is not in lines ${source.lines.join('-')}`);
  }
});

test('a sentence is known by its words, not by its white space', () => {
  const text = 'Title\n•  One thing:\tthis; and that. Another.\n1\nend';
  assert.equal(sentenceHash(text, [2, 2], [0, 2]), sha256('One thing: this; and that.'));
  assert.equal(sentenceHash(text, [2, 2], [3, 3]), sha256('Another.'));
  assert.equal(sentenceHash(text, [2, 2], [4, 4]), undefined);
  assert.ok(candidates(text, [2, 4]).has(sha256('Another. 1 end')));
  assert.ok(!candidates(text, [2, 2]).has(sha256('One thing: and that.')));
});
