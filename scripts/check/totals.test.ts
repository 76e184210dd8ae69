import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingTotals, line, nodeTotals, skippedTests, sum, totalOf, verdictTotals } from './totals.mjs';

const spec = 'ok\nℹ tests 5\nℹ pass 3\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\n';

test('every unit test counts, and any other command counts as one', () => {
  assert.deepEqual(nodeTotals(spec), { passed: 3, failed: 1, skipped: 1 });
  assert.deepEqual(totalOf({ code: 0, output: '' }), { passed: 1, failed: 0, skipped: 0 });
  assert.deepEqual(totalOf({ code: null, output: '' }), { passed: 0, failed: 1, skipped: 0 });
});

test('a skipped test is named', () => {
  assert.deepEqual(skippedTests('✔ one (1ms)\n﹣ two (0.1ms) # no kubectl\n'), ['two (0.1ms) # no kubectl']);
});

test('a test run that ended badly has failed, whatever it counted', () => {
  assert.equal(totalOf({ code: 1, output: spec.replace('fail 1', 'fail 0'), tests: true }).failed, 1);
  assert.deepEqual(totalOf({ code: 7, output: 'it crashed', tests: true }), { passed: 0, failed: 1, skipped: 0 });
});

test('a requirement passes where every verdict on it is a pass', () => {
  const verdicts = ['pass', 'pass'].map((outcome) => ({ requirement: 'GS-DW-01', outcome }));
  assert.deepEqual(verdictTotals(verdicts), { passed: 1, failed: 0, skipped: 0 });
  verdicts.push(
    { requirement: 'GS-DW-01', outcome: 'inconclusive' },
    { requirement: 'GS-DW-02', outcome: 'unsupported' },
  );
  assert.deepEqual(verdictTotals(verdicts), { passed: 0, failed: 1, skipped: 1 });
});

test('totals add up to one closing line', () => {
  const detection = closingTotals('1 passed, 1 failed\n| 9 passed, 9 failed |\n40 passed, 2 failed\nbye');
  assert.deepEqual(detection, { passed: 40, failed: 2, skipped: 0 });
  assert.equal(
    line(
      sum([
        { passed: 1, failed: 0, skipped: 2 },
        { passed: 40, failed: 2 },
      ]),
    ),
    '41 passed, 2 failed',
  );
  assert.equal(closingTotals('nothing'), undefined);
});
