import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoLines as lines } from '../../../engines/dynamo/log.ts';
import type { EndKind } from '../../../history/event.ts';
import { findings } from '../../testing/build.ts';
import { DynamoScribe } from '../../testing/dynamo.ts';
import type { Outcome } from '../../verdict.ts';

const given = { open: ['a', 'b'], outlasts: ['a', 'b'], frontend: 'frontend' };

function is(scribe: DynamoScribe, requirement: string, outcome: Outcome): void {
  const judged = () => scribe.judge({ requirement, given });
  const whole = judged();
  assert.equal(whole.outcome, outcome, `${requirement}: ${findings(whole)}`);
  const all = [...scribe.events];
  for (const [i, missing] of all.entries()) {
    scribe.events.splice(0, Infinity, ...all.toSpliced(i, 1));
    const verdict = judged();
    const message = `${requirement} without ${missing.kind} of ${missing.subject} at ${missing.at[1]}: ${findings(verdict)}`;
    assert.ok(outcome === 'inconclusive' || [outcome, 'inconclusive'].includes(verdict.outcome), message);
  }
  scribe.events.splice(0, Infinity, ...all);
}

/** Two streams over one frontend, one of them on the worker that is killed. */
function killed(
  a: EndKind,
  { on = 123, tokens = 12, b = 'complete' }: { on?: number; tokens?: number; b?: EndKind } = {},
): DynamoScribe {
  const over = a === 'complete' ? 8 : 0.2;
  return new DynamoScribe()
    .ask('a', -3, over, a, { due: 8, tokens: a === 'complete' && tokens === 12 ? 44 : tokens })
    .ask('b', -3, 8, b)
    .frontend('f')
    .say(-2.99, 'f', lines.selected, { worker_id: on })
    .say(-2.98, 'f', lines.selected, { worker_id: 124 })
    .workerKilled();
}

test('MG-01: one stream to the client, whatever becomes of its worker', () => {
  is(killed('complete'), 'DY-MG-01', 'pass');
  is(killed('error-frame'), 'DY-MG-01', 'fail');
  is(killed('damaged'), 'DY-MG-01', 'fail');
  is(killed('complete', { on: 125 }), 'DY-MG-01', 'inconclusive');
  is(killed('complete').say(-5, 'f', lines.selected, { worker_id: 124 }), 'DY-MG-01', 'inconclusive');
});

test('MG-02: an error, never a silent end', () => {
  is(killed('error-frame'), 'DY-MG-02', 'pass');
  is(killed('http-error', { tokens: 0 }), 'DY-MG-02', 'pass');
  is(killed('eof'), 'DY-MG-02', 'fail');
  is(killed('complete', { tokens: 13 }), 'DY-MG-02', 'fail');
  is(killed('complete'), 'DY-MG-02', 'fail');
  is(killed('error-frame', { b: 'error-frame' }), 'DY-MG-02', 'fail');
});

test('MG-05: what was given up does not look whole', () => {
  is(killed('error-frame'), 'DY-MG-05', 'pass');
  is(killed('complete', { tokens: 13 }), 'DY-MG-05', 'fail');
  is(killed('complete'), 'DY-MG-05', 'inconclusive');
});
