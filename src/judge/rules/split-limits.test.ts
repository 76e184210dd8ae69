import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../testing/build.ts';
import { Retiring, target } from '../testing/retire.ts';
import type { Outcome, Verdict } from '../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));
const refusal = 'the member runs the sglang prefill disaggregation mode, which has no verifiable decoder-side release';

/** A replica that is held for `reason` from 1 s on and deleted by us at 10 s, with work up to 18 s. */
function deleted(reason: string, S: number, { ours = true, x = 18 } = {}): Retiring {
  const scribe = new Retiring()
    .serving()
    .bind('victim', 'v')
    .draining(1)
    .deployment(1.5, 'Draining', { reason })
    .request('long', 'v', 4, x)
    .gauges('v', 4.1, x, 1)
    .gauges('v', x + 0.05, S, 0);
  return scribe.leave({ ...target, grace: 30 }, { D: 10, S, E: S + 1, ours });
}

test('LM-11: refused by the protocol, and drained when something else deletes it', () => {
  const decision = { requirement: 'GS-LM-11' };
  is(deleted(refusal, 19.4).judge(decision), 'pass');
  is(deleted(refusal, 10.1).judge(decision), 'fail');
  is(deleted(refusal, 16.2, { x: 14 }).judge(decision), 'inconclusive');
  // Held for another reason, or let go by the protocol itself.
  is(deleted('member v still holds 1 in flight', 19.4).judge(decision), 'inconclusive');
  const gone = deleted(refusal, 19.4).deployment(9.9, 'Deleting', { reason: 'the queues are empty' });
  is(gone.judge(decision), 'inconclusive');
  is(deleted(refusal, 19.4, { ours: false }).judge(decision), 'inconclusive');
});
