import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunOptions } from '../../fixtures/options.ts';
import type { Outcome } from '../../src/judge/verdict.ts';
import { DEFAULT_PROFILE } from '../../src/requirements/profiles.ts';
import { calmer, decide } from './samples.ts';

const sample = (n: number, outcomes: Record<string, Outcome>) => ({
  job: { scenario: 's', faults: [], sample: n },
  bundle: `b${n}`,
  verdicts: Object.entries(outcomes).map(([requirement, outcome]) => ({
    requirement,
    outcome,
    scenario: 's',
    source: '',
    findings: [],
    again: '',
  })),
});

const outcomesOf = (results: ReturnType<typeof decide>) =>
  Object.fromEntries(results.flatMap((r) => r.verdicts.map((v) => [v.requirement, `${v.outcome} in ${r.bundle}`])));

test('a later sample decides what the first left inconclusive', () => {
  const decided = decide([sample(1, { A: 'inconclusive', B: 'pass' }), sample(2, { A: 'pass', B: 'inconclusive' })]);
  assert.deepEqual(outcomesOf(decided), { A: 'pass in b2', B: 'pass in b1' });
});

test('a fail in any sample stays a fail, and a harness error is no pass', () => {
  const decided = decide([sample(1, { A: 'pass', B: 'pass' }), sample(2, { A: 'fail', B: 'harness-error' })]);
  assert.deepEqual(outcomesOf(decided), { A: 'fail in b2', B: 'harness-error in b2' });
});

test('further samples run slower and with fewer side by side, real time at the slowest', () => {
  const options: RunOptions = {
    ...{ id: 'r', out: 'o', target: 'embedded', abilities: [], sameClock: true },
    ...{ profile: DEFAULT_PROFILE, timeScale: 5, seed: 1, workers: 4, jobs: [] },
  };
  const seen = [0, 1, 2, 3, 4].map((further) => calmer(options, further));
  assert.deepEqual(
    seen.map((o) => [o.timeScale, o.workers]),
    [
      [5, 4],
      [2.5, 2],
      [1.25, 1],
      [1, 1],
      [1, 1],
    ],
  );
  assert.equal(calmer({ ...options, timeScale: 0.5 }, 2).timeScale, 0.5);
  const there = calmer({ ...options, target: 'kubernetes' }, 1);
  assert.deepEqual([there.timeScale, there.workers], [5, 2], 'its kubelets keep their time scale');
});
