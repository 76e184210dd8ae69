import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, Verdict } from '../src/judge/verdict.ts';
import { detectionMarkdown } from './detection-files.ts';
import { detectionTable, type Trial } from './detection.ts';

const verdict = (requirement: string, outcome: Outcome): Verdict => ({
  requirement,
  outcome,
  scenario: 's',
  source: '',
  findings: [{ outcome, formula: '', seen: `${requirement} seen`, evidence: [] }],
  again: '',
});

const trial = (breaks: string[], ...samples: Record<string, Outcome>[]): Trial => {
  const all = samples.map((sample) => Object.entries(sample).map(([id, outcome]) => verdict(id, outcome)));
  return { fault: 'f', scenario: 's', breaks, verdicts: all.at(-1) ?? [], samples: all, bundle: 'b' };
};

test('what a fault had to break and did not is missed, and what it broke besides is a false alarm', () => {
  const told = detectionTable([
    trial(['A-1', 'A-2'], { 'A-1': 'fail', 'A-2': 'pass' }),
    trial(['A-1'], { 'A-1': 'fail', 'A-3': 'fail' }),
    trial(['A-4'], { 'A-4': 'inconclusive' }),
    trial(['A-1'], { 'A-1': 'fail', 'A-2': 'inconclusive' }),
  ]);
  assert.deepEqual([told.missed, told.falseAlarms, told.passed, told.failed], [2, 1, 1, 3]);
  const lines = told.text.split('\n').filter((line) => /^(missed|false alarm): /.test(line));
  assert.deepEqual(lines, [
    'missed: f in s: A-2 pass: A-2 seen (b)',
    'false alarm: f in s: A-3 fail: A-3 seen (b)',
    'missed: f in s: A-4 inconclusive: A-4 seen (b)',
  ]);
  assert.match(told.text, /^requirements in 4 trials: 3 caught, 2 missed, 1 false alarms$/m);
});

test('what took more than one sample says in how many it showed', () => {
  const told = detectionTable([
    trial(['A-1', 'A-2'], { 'A-1': 'fail', 'A-2': 'pass' }, { 'A-1': 'fail', 'A-2': 'fail' }),
  ]);
  assert.equal(told.missed, 0);
  assert.match(told.text, /A-2 \(1\/2\)/);
  assert.doesNotMatch(told.text, /A-1 \(/);
});

test('as Markdown: each trial, and for each requirement the faults that it was tried with', () => {
  const { rows } = detectionTable([
    trial(['A-1', 'A-2'], { 'A-1': 'fail', 'A-2': 'pass', 'A-3': 'inconclusive' }),
    trial(['A-1'], { 'A-1': 'fail', 'A-9': 'fail' }),
  ]);
  const told = detectionMarkdown(rows);
  for (const line of [
    'requirements in 2 trials: 2 caught, 1 missed, 1 false alarms',
    '| `f` | s | A-1 | **A-2** (pass) |  | A-3 (inconclusive) |',
    '| `f` | s | A-1 |  | **A-9** |  |',
    '| A-1 | `f` in s<br>`f` in s |  |',
    '| A-2 |  | `f` in s |',
  ])
    assert.ok(told.split('\n').includes(line), `${line}\nis not in\n${told}`);
});
