import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { judge } from '../src/judge/judge.ts';
import { readBundle } from '../src/history/reader.ts';
import { quiesce, scratch } from './testing/cli.ts';

test('a signal before the handlers: no verdict is wrong, and each says what was not there yet', async (t) => {
  const temp = scratch(t);
  const out = join(temp, 'out');
  // In real time the first probe of a frontend is 10 s away: none is ready when it is signalled.
  const run = await quiesce(['run', 'dynamo-early-signal', '--time-scale', '1', '--out', out], { temp });
  assert.equal(run.code, 2, `${run.out}\n${run.err}`);
  const bundle = readBundle(join(out, 'bundles', 'dynamo-early-signal'));
  assert.deepEqual(
    bundle.events.flatMap((event) => (event.kind === 'problem' ? [event.data] : [])),
    [],
  );
  const verdicts = judge(bundle, []);
  assert.deepEqual(verdicts.map(({ part }) => part).sort(), ['early-frontend', 'early-worker']);
  for (const { part, outcome, findings } of verdicts) {
    const seen = findings.map((finding) => finding.seen).join('; ');
    // A worker may have come so far on a busy machine.
    if (part === 'early-worker' && outcome === 'pass') continue;
    assert.equal(outcome, 'inconclusive', `${part}: ${seen}`);
    assert.match(
      seen,
      /ended with \d+ and was not ready yet when it was signalled: its handlers may not have been there/,
    );
  }
});
