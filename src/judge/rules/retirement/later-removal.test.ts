import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../../testing/build.ts';
import { Retiring } from '../../testing/retire.ts';
import type { Outcome, Verdict } from '../../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));
const cases = { first: { deployment: 'chat', role: 'serve' } };
const retained = 'members, workload and capacity are retained';
const budget = `the withdrawal budget was exhausted; ${retained}`;
const restarts = `the drain budget was exhausted: member v container "main" has restarted 3 time(s); ${retained}`;

/** An operation that is aborted at 30 s; at 40 s an edit takes another replica away. */
const history = (reason: string) =>
  new Retiring()
    .serving()
    .draining(1)
    .deployment(30, 'Aborted', { reason })
    .action('second', 40, 'patch', 'ModelDeployment/n/chat', 200)
    .deployment(40.2, 'Aborted', { reason });
const judge = (scribe: Retiring, part: string, edit = 'second') =>
  scribe.judge({ requirement: 'GS-RP-25', cases: ['first'], part, given: { edit } }, cases);

test('RP-25: an aborted operation keeps no later removal of its deployment from beginning', () => {
  const goesOn = (reason: string) =>
    history(reason)
      .deployment(41, 'Admitted', { ordinal: 0, uids: ['s'], reason: 'admitted' })
      .end(60);
  is(judge(goesOn(budget), 'after an abort'), 'pass');
  is(judge(goesOn(restarts), 'after a crash loop'), 'pass');
  // The one is not the other, and without an edit nothing was asked for.
  is(judge(goesOn(budget), 'after a crash loop'), 'inconclusive');
  is(judge(goesOn(restarts), 'after an abort'), 'inconclusive');
  is(judge(goesOn(budget), 'after an abort', 'third'), 'inconclusive');
});

test('RP-25: one that does is told apart as the implementation', () => {
  const blocked = (reason: string, at = 55) => history(reason).lookDeployment(at, 'Aborted', { reason }).end(60);
  const after = judge(blocked(budget), 'after an abort');
  is(after, 'fail');
  assert.match(findings(after), /known difference aborted-blocks-removals: the document .* never block the queue/);
  const crashed = judge(blocked(restarts), 'after a crash loop');
  is(crashed, 'fail');
  assert.match(
    findings(crashed),
    /difference crash-loop-blocks-removals: .*the implementation .*retirement\.go at 41436929/,
  );
  is(judge(blocked(budget, 44), 'after an abort'), 'inconclusive');
});
