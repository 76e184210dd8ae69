import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings, Scribe } from '../testing/build.ts';
import type { PodSpec } from '../testing/build.ts';
import type { Outcome, Verdict } from '../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));
const role = { rolled: { deployment: 'chat', role: 'serve' } };
const victim: PodSpec = { uid: 'v', ip: '127.16.0.1' };

/** Three busy replicas that leave one after the other, `gap` seconds after the former is gone. */
function rollout(gap: number, busy = true): Scribe {
  const pods = ['a', 'b', 'c'].map((uid) => ({ uid }));
  const scribe = new Scribe().end(80);
  for (const pod of pods) scribe.ready(pod);
  if (busy) for (const { uid } of pods) scribe.request(`r-${uid}`, uid, -3, 70, 'abort');
  const departures = pods.map((pod, i) => ({ pod, D: i * (12 + gap) }));
  for (const { pod, D } of departures) scribe.leave(pod, { D, S: D + 10, E: D + 11.5, gone: D + 12, ours: false });
  return scribe;
}

test('DW-15: the next delete comes when the former is gone', () => {
  const decision = { requirement: 'GS-DW-15', cases: ['rolled'] };
  is(rollout(0.3).judge(decision, role), 'pass');
  is(rollout(-0.5).judge(decision, role), 'fail');
  is(rollout(-12).judge(decision, role), 'fail');
  is(rollout(0.3, false).judge(decision, role), 'inconclusive');
  is(rollout(0.3).judge({ ...decision, given: { atLeast: 4 } }, role), 'inconclusive');
});

/** An old replica that leaves at 1 s after an action at 0 s, and a new one, born at 14 s. */
function turnover({
  old = {},
  fresh = {},
  again = false,
  others = false,
}: {
  old?: Partial<PodSpec>;
  fresh?: Partial<PodSpec>;
  again?: boolean;
  others?: boolean;
}): Scribe {
  const before = { uid: 'old', ...old };
  const after = { uid: 'new', ...fresh };
  const scribe = new Scribe().ready(before).ready({ uid: 'bystander', role: 'other' });
  scribe
    .action('upgrade-operator', 0, 'patch', 'Deployment/n/operator', 200)
    .put('action.proved', 0.5, 'action/upgrade-operator', { id: 'upgrade-operator', proof: 'ready' });
  scribe.action('edit', 0, 'patch', 'ModelDeployment/n/chat', 200);
  scribe.leave(before, { D: 1, S: 7.2, E: 8.2, ours: false }).pod('added', 14, after);
  if (again) scribe.leave(after, { D: 20, S: 26.2, E: 27, ours: false }).pod('added', 28, { ...after, uid: 'newest' });
  if (others) scribe.leave({ uid: 'bystander', role: 'other' }, { D: 15, S: 21.2, E: 22, ours: false });
  return scribe.end(40);
}

test('DW-23: the upgrade turns each replica over once', () => {
  const decision = { requirement: 'GS-DW-23', cases: ['rolled'] };
  is(turnover({ old: { hook: false } }).judge(decision, role), 'pass');
  is(turnover({ old: { hook: false }, again: true }).judge(decision, role), 'fail');
  is(turnover({ old: { hook: false }, fresh: { hook: false } }).judge(decision, role), 'fail');
  is(turnover({}).judge(decision, role), 'inconclusive');
});

test('DW-23: an operator that turns nothing over has ignored it, once it surely was at work', () => {
  const decision = { requirement: 'GS-DW-23', cases: ['rolled'] };
  const kept = (end: number, restarted?: number) => {
    const scribe = new Scribe().ready({ uid: 'old', hook: false });
    const operator = (id: string, at: number) =>
      scribe
        .action(id, at, 'patch', 'Deployment/n/operator', 200)
        .put('action.proved', at + 0.5, `action/${id}`, { id, proof: 'ready' });
    operator('upgrade-operator', 0);
    if (restarted !== undefined) operator('restart-operator-2', restarted);
    return scribe.end(end);
  };
  is(kept(25).judge(decision, role), 'fail');
  is(kept(16).judge(decision, role), 'inconclusive');
  is(kept(25, 12).judge(decision, role), 'inconclusive');
  is(kept(37, 12).judge(decision, role), 'fail');
});

test('DW-24: the edited role alone, with its old grace', () => {
  const decision = { requirement: 'GS-DW-24', cases: ['rolled'], given: { edit: 'edit', was: 15 } };
  const from = { old: { grace: 15 }, fresh: { grace: 25 } };
  is(turnover(from).judge(decision, role), 'pass');
  is(turnover({ ...from, others: true }).judge(decision, role), 'fail');
  is(turnover({ old: { grace: 25 }, fresh: { grace: 25 } }).judge(decision, role), 'fail');
  is(turnover({ old: { grace: 15 }, fresh: { grace: 15 } }).judge(decision, role), 'fail');
  is(turnover({ ...from, again: true }).judge(decision, role), 'fail');
  // A stall from before the edit to the birth of the new Pod: it may be an old one that was seen late.
  const stalled = turnover(from).put('stall', 14.5, 'harness', { scope: 'cluster', from: 99_500, to: 114_500 });
  is(stalled.judge(decision, role), 'inconclusive');
  is(
    new Scribe()
      .ready({ uid: 'old', grace: 15 })
      .action('edit', 0, 'patch', 'ModelDeployment/n/chat', 200)
      .end(40)
      .judge(decision, role),
    'fail',
  );
});

test('DW-25: the same value turns nothing over, though the operator is at work', () => {
  const decision = { requirement: 'GS-DW-25', cases: ['rolled'], given: { edit: 'write-30', next: 'harmless' } };
  const history = (D: number) =>
    new Scribe()
      .ready(victim)
      .action('write-30', 0, 'patch', 'ModelDeployment/n/chat', 200)
      .action('harmless', 20, 'patch', 'ModelDeployment/n/chat', 200)
      .leave(victim, { D, S: D + 6.2, E: D + 7, ours: false })
      .end(60);
  is(history(21).judge(decision, role), 'pass');
  is(history(1).judge(decision, role), 'fail');
  is(
    new Scribe()
      .ready(victim)
      .action('write-30', 0, 'patch', 'x', 200)
      .action('harmless', 20, 'patch', 'x', 200)
      .end(60)
      .judge(decision, role),
    'inconclusive',
  );
});

test('DW-32: cut at the small grace, whole at the larger', () => {
  const cases = {
    small: { deployment: 'chat', role: 'serve', index: 0 },
    large: { deployment: 'chat', role: 'serve', index: 1 },
  };
  const decision = { requirement: 'GS-DW-32', cases: ['small', 'large'], given: { cut: 'cut', whole: 'whole' } };
  const [a, b] = [
    { uid: 'a', grace: 15 },
    { uid: 'b', grace: 45 },
  ];
  const history = (end: 'complete' | 'reset') =>
    new Scribe()
      .ready(a)
      .bind('small', 'a')
      .request('cut', 'a', -3, 10.45, 'abort', { due: 25 })
      .leave(a, { S: 10.4, E: 11 })
      .ready(b)
      .bind('large', 'b')
      .request('whole', 'b', -3, end === 'reset' ? 20 : 25, end, { due: 25 })
      .leave(b, { S: 26.5, E: 27 });
  is(history('complete').judge(decision, cases), 'pass');
  is(history('reset').judge(decision, cases), 'fail');
  is(history('complete').judge({ ...decision, given: { cut: 'cut', whole: 'nothing' } }, cases), 'inconclusive');
});
