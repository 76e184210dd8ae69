import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings, Scribe } from '../../testing/build.ts';
import type { PodSpec } from '../../testing/build.ts';
import { Retiring, survivor, target } from '../../testing/retire.ts';
import type { Outcome, Verdict } from '../../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));
const cases = { leaving: { deployment: 'chat', role: 'serve' } };

test('RP-06: read as it is deployed, when the edit of the role and the removal come in one write', () => {
  const takeOver = [{ name: 'serve', replicas: 2, command: ['vllm'] }];
  const history = (reason: string, roles = [{ name: 'serve', replicas: 1 }] as typeof takeOver) =>
    new Retiring()
      .serving({ roles: takeOver })
      .deployment(0.1, 'Admitted', { roles, reason: 'admitted' })
      .deployment(1, 'Draining', { roles, reason: 'reading' })
      .deployment(1.5, 'Draining', { roles, reason })
      .look(20, target)
      .lookDeployment(20, 'Draining', { roles, reason })
      .end(21);
  const decision = { requirement: 'GS-RP-06', cases: ['leaving'], given: { reason: 'takeOver' } };
  const held = 'member v carries no usable metrics endpoint annotation';
  is(history(held).judge(decision, cases), 'pass');
  is(history('member v still holds 2 in flight').judge(decision, cases), 'fail');
  // A plain scale-down says nothing of the edit.
  const plain = [{ name: 'serve', replicas: 1, command: ['vllm'] }];
  is(history(held, plain).judge(decision, cases), 'inconclusive');
});

test('RP-12: what never ran is removed, and what ran is not removed along with it', () => {
  const placed: PodSpec = { uid: 'v', ip: '127.16.0.1', grace: 15 };
  const told = (state: object, more = {}) => ({
    status: { phase: 'Pending', conditions: [], containerStatuses: [{ name: 'main', state }], ...more },
  });
  const leaving = { metadata: { deletionTimestamp: 'now', deletionGracePeriodSeconds: 15 } };
  const decision = { requirement: 'GS-RP-12', cases: ['leaving'], part: 'never ran' };
  const waits = told({ waiting: { reason: 'ErrImagePull' } });
  const removed = (status: object) =>
    new Scribe()
      .ready(survivor)
      .pod('added', 1, placed, status)
      .pod('modified', 5, placed, { ...status, ...leaving })
      .pod('deleted', 5.1, placed, { ...told({ terminated: { exitCode: 137 } }), ...leaving });
  is(removed(waits).judge(decision, cases), 'pass');
  // It had begun to run.
  is(removed(told({ running: {} })).judge(decision, cases), 'inconclusive');
  const beside = { ...decision, given: { running: 'survivor' } };
  const bound = (scribe: Scribe) => scribe.bind('survivor', survivor.uid);
  is(bound(removed(waits)).judge(beside, cases), 'inconclusive');
  is(bound(removed(waits)).leave(survivor, { D: 6, S: 12, E: 13, ours: false }).judge(beside, cases), 'fail');
});

test('RP-12: what was never admitted is removed, and not held to an abort', () => {
  const unplaced: PodSpec = { uid: 'v', ip: '127.16.0.1', grace: 15 };
  const unbound = { spec: { nodeName: undefined }, status: { phase: 'Pending', startTime: undefined } };
  const history = () => new Scribe().ready(survivor).pod('added', 1, unplaced, unbound);
  const decision = { requirement: 'GS-RP-12', cases: ['leaving'], part: 'never admitted' };
  const gone = history().pod('modified', 5, unplaced, {
    ...unbound,
    metadata: { deletionTimestamp: 'now', deletionGracePeriodSeconds: 0 },
  });
  is(gone.pod('deleted', 5.1, unplaced, unbound).judge(decision, cases), 'pass');
  is(history().end(20).judge(decision, cases), 'inconclusive');
  const held = new Retiring().ready(survivor).pod('added', 1, unplaced, unbound);
  held.deployment(4, undefined).deployment(5, 'Admitted', { reason: 'admitted' });
  held.deployment(35, 'Aborted', { reason: 'declares no router; members, workload and capacity are retained' });
  is(held.end(40).judge(decision, cases), 'fail');
  is(new Scribe().ready(survivor).end(20).judge(decision, cases), 'inconclusive');
});
