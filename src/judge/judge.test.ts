import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHistory } from '../history/reader.ts';
import { judge, renderVerdicts } from './judge.ts';
import { mergeOutcomes } from './outcomes.ts';
import { historyOf } from './testing/history.ts';
import { simManifest } from './testing/manifest.ts';
import { simulate } from './testing/truth.ts';
import type { Draw } from './testing/draw.ts';

const draw: Draw = {
  scale: 5,
  grace: 30,
  work: 'outlasts',
  phase: 0.5,
  engine: 'vLLM',
  watchdog: 0,
  abort: 'abort',
  ignoresSigterm: false,
  beginMs: 20,
  startMs: 60,
  readMs: 5,
  lagMs: 2,
  signalMs: 10,
  kubeletLog: true,
  killingEvent: true,
  fault: 'none',
  seed: 7,
};

/** What only an SGLang can be judged by. */
const ofSglang = ['GS-DW-16', 'GS-DW-17', 'GS-DW-34', 'GS-DW-37', 'GS-LM-02', 'GS-LM-06'];

test('a departure of a busy replica: golden verdicts', () => {
  const verdicts = judge({ manifest: simManifest(5), events: historyOf(simulate(draw)) }, []);
  const golden = {
    'GS-DW-01': 'pass',
    'GS-DW-04': 'inconclusive',
    'GS-DW-05': 'pass',
    'GS-DW-06': 'inconclusive',
    'GS-DW-07': 'inconclusive',
    'GS-DW-08': 'pass',
    'GS-DW-09': 'inconclusive',
    'GS-DW-10': 'inconclusive',
    'GS-DW-12': 'inconclusive',
    ...Object.fromEntries(ofSglang.map((id) => [id, 'inconclusive'])),
    'GS-DW-26': 'pass',
    'GS-DW-27': 'pass',
    'GS-DW-28': 'pass',
    'GS-DW-29': 'pass',
    'GS-LM-01': 'pass',
    'GS-LM-03': 'pass',
    'GS-DW-14': 'pass',
  };
  assert.deepEqual(Object.fromEntries(verdicts.map((v) => [v.requirement, v.outcome])), golden);
  for (const { findings } of verdicts) {
    for (const finding of findings) {
      assert.ok(finding.outcome !== 'inconclusive' || finding.wouldDecide, finding.seen);
      assert.ok(finding.outcome === 'inconclusive' || finding.evidence.length > 0, finding.seen);
    }
  }
});

test('judged again from its own text, a history gives the same bytes', () => {
  const events = historyOf(simulate(draw));
  const text = events.map(({ line: _, ...event }) => `${JSON.stringify(event)}\n`).join('');
  const again = parseHistory(text);
  assert.deepEqual(again.problems, []);
  const render = (list: typeof events) =>
    renderVerdicts(simManifest(5), judge({ manifest: simManifest(5), events: list }, []));
  const bytes = render(events);
  assert.equal(render(again.events), bytes);
  assert.doesNotMatch(bytes, /NaN|Infinity|undefined/);
  assert.equal(bytes, `${JSON.stringify(JSON.parse(bytes), undefined, 2)}\n`);
});

test('an empty history decides nothing, and says of each requirement what is missing', () => {
  for (const verdict of judge({ manifest: simManifest(5), events: [] }, [])) {
    assert.equal(verdict.outcome, 'inconclusive', verdict.requirement);
    assert.ok(verdict.findings.every((f) => f.wouldDecide));
  }
});

test('no pass rests on a history of which a part is lost, and a fail stays one', () => {
  const losses = ['history.jsonl: missing: events 3 to 4'];
  for (const fault of ['none', 'hook-early'] as const) {
    const whole = { manifest: simManifest(5), events: historyOf(simulate({ ...draw, fault })) };
    const before = judge(whole, []);
    const after = judge({ ...whole, losses }, []);
    assert.ok(before.some((v) => v.outcome === (fault === 'none' ? 'pass' : 'fail')));
    after.forEach((verdict, i) => {
      assert.equal(verdict.outcome, before[i]?.outcome === 'fail' ? 'fail' : 'inconclusive');
      assert.ok(verdict.findings.some((f) => f.seen === losses[0] && f.wouldDecide));
    });
  }
});

test('the worst outcome wins; none at all is not green', () => {
  assert.equal(mergeOutcomes(['pass', 'inconclusive', 'fail']), 'fail');
  assert.equal(mergeOutcomes(['pass', 'harness-error', 'inconclusive']), 'harness-error');
  assert.equal(mergeOutcomes(['pass', 'unsupported']), 'unsupported');
  assert.equal(mergeOutcomes(['pass']), 'pass');
  assert.equal(mergeOutcomes([]), 'harness-error');
});
