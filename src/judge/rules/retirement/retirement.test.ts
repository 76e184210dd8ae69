import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Decision } from '../../../history/manifest.ts';
import { findings } from '../../testing/build.ts';
import type { Scribe } from '../../testing/build.ts';
import { Retiring, selected, survivor, target } from '../../testing/retire.ts';
import type { Outcome, Verdict } from '../../verdict.ts';

const cases = { leaving: { deployment: 'chat', role: 'serve' } };
const judged = (scribe: Scribe, decision: Omit<Decision, 'cases'>): Verdict =>
  scribe.judge({ cases: ['leaving'], ...decision }, cases);

/** Judges it, and judges it again with each single event missing: that may leave it open, and never turns it over. */
function is(scribe: Scribe, decision: Omit<Decision, 'cases'>, outcome: Outcome): void {
  const whole = judged(scribe, decision);
  assert.equal(whole.outcome, outcome, findings(whole));
  const all = [...scribe.events];
  for (const [i, missing] of all.entries()) {
    if (missing.kind === 'gauges' && i % 7 !== 0) continue; // one of many
    scribe.events.splice(0, Infinity, ...all.toSpliced(i, 1));
    const verdict = judged(scribe, decision);
    const message = `without ${missing.kind} of ${missing.subject} at ${missing.at[1]}: ${findings(verdict)}`;
    assert.ok(outcome === 'inconclusive' || [outcome, 'inconclusive'].includes(verdict.outcome), message);
  }
  scribe.events.splice(0, Infinity, ...all);
}

/** A replica with a stream of 24 s, read until it is idle, and deleted at `D`. */
const busy = (D = 25.5): Retiring =>
  new Retiring()
    .serving()
    .request('long', 'v', -3, 24)
    .gauges('v', -2, 24, 1)
    .draining()
    .deployment(1.2, 'Draining', { reason: 'member chat-v still holds 1 in flight' })
    .read(24.6, 'v')
    .read(24.7, 'v')
    .gauges('v', 24.1, 25, 0)
    .deletes(D)
    .end(40);

test('RP-01: drained before it is deleted', () => {
  is(busy(), { requirement: 'GS-RP-01' }, 'pass');
  is(busy(12), { requirement: 'GS-RP-01' }, 'fail');
  // Deleted at once, without any operation.
  const atOnce = new Retiring()
    .serving()
    .request('long', 'v', -3, 16, 'abort')
    .leave(target, { D: 0.2, S: 12, E: 13, ours: false })
    .end(20);
  is(atOnce, { requirement: 'GS-RP-01' }, 'fail');
  const short = new Retiring().serving().request('short', 'v', -3, 4).draining().deletes(5).end(20);
  is(short, { requirement: 'GS-RP-01' }, 'inconclusive');
});

test('RP-34: what was held for work goes once it is idle', () => {
  is(busy(), { requirement: 'GS-RP-34' }, 'pass');
  is(busy(50), { requirement: 'GS-RP-34' }, 'fail');
});

test('RP-13: what the protocol lets go spends its drain window', () => {
  is(busy(), { requirement: 'GS-RP-13' }, 'pass');
  const cut = new Retiring().serving().draining().deletes(5, { S: 6, E: 7 }).end(20);
  is(cut, { requirement: 'GS-RP-13' }, 'fail');
});

test('RP-04: counted while it is held', () => {
  is(busy(), { requirement: 'GS-RP-04' }, 'pass');
  const less = new Retiring().serving().draining(1, { ready: 1 }).deletes(5).end(20);
  const verdict = judged(less, { requirement: 'GS-RP-04' });
  assert.equal(verdict.outcome, 'fail', findings(verdict));
});

/** An operation that is held for `reason`, or deleted at `D`, without work. */
function hold(reason: string, { D, router = true }: { D?: number; router?: boolean } = {}): Retiring {
  const scribe = new Retiring()
    .serving({ router })
    .draining(1, { router })
    .deployment(1.5, 'Draining', { reason, router });
  if (D !== undefined) return scribe.deletes(D).end(40);
  return scribe
    .look(30, target)
    .look(30.1, target)
    .lookDeployment(30.2, 'Draining', { reason, router })
    .lookDeployment(30.3, 'Draining', { reason, router })
    .end(30.5);
}

test('held: a cause that stands keeps every member, and is named', () => {
  const missing = 'member chat-v is missing vllm:num_requests_waiting';
  is(hold(missing), { requirement: 'GS-RP-22' }, 'pass');
  is(hold(missing, { D: 9 }), { requirement: 'GS-RP-22' }, 'fail');
  is(hold('member chat-v still holds 1 in flight'), { requirement: 'GS-RP-21' }, 'pass');
  is(hold('member chat-v carries no usable metrics endpoint annotation'), { requirement: 'GS-RP-28' }, 'pass');
  is(hold('exec into n/v: timed out'), { requirement: 'GS-RP-23', given: { reason: 'unread' } }, 'pass');
  is(hold('no member carrying the leader index'), { requirement: 'GS-LM-10', given: { reason: 'noLeader' } }, 'pass');
  const wrong = judged(hold('busy'), { requirement: 'GS-RP-22' });
  assert.equal(wrong.outcome, 'fail', findings(wrong));
});

test('RP-10: without a router held, and aborted after 30 s with everything retained', () => {
  const reason = 'this deployment declares no router, so nothing can be observed; the operation holds';
  const aborts = (at: number, after = selected): Retiring => {
    const more = { router: false, reason };
    return new Retiring()
      .serving({ router: false })
      .pod('modified', -8, selected)
      .pod('modified', -7, selected)
      .pod('modified', 0.2, target)
      .deployment(0, undefined, { router: false })
      .deployment(0.1, 'Admitted', { router: false })
      .deployment(0.3, 'Disqualified', more)
      .deployment(at, 'Aborted', { router: false, reason: 'the withdrawal budget was exhausted; retained' })
      .look(at + 13, after)
      .look(at + 14, after)
      .deployment(at + 5, 'Aborted', { router: false, reason: 'retained' })
      .end(at + 16);
  };
  is(aborts(30.4), { requirement: 'GS-RP-10' }, 'pass');
  is(aborts(12), { requirement: 'GS-RP-10' }, 'fail');
  is(aborts(90), { requirement: 'GS-RP-10' }, 'fail');
  is(aborts(30.4, target), { requirement: 'GS-RP-10' }, 'fail');
  const out = findings(judged(aborts(30.4, target), { requirement: 'GS-RP-10' }));
  assert.match(
    out,
    /As implemented, known difference aborted-stays-ineligible: the document .*specs.*; the implementation/,
  );
  const deleted = aborts(30.4).leave(target, { D: 31, S: 37, E: 38, ours: false });
  assert.equal(judged(deleted, { requirement: 'GS-RP-10' }).outcome, 'fail');
});

test('RP-31: no request reaches the target once it drains', () => {
  const load = (scribe: Retiring, late?: string) => {
    for (let i = 0; i < 4; i++) scribe.request(`before-${i}`, i % 2 ? 'v' : 's', -4 + i * 0.5, -3 + i * 0.5);
    for (let i = 0; i < 4; i++) scribe.request(`early-${i}`, 'v', -2 + i * 0.2, -1 + i * 0.2);
    for (let i = 0; i < 5; i++) scribe.request(`after-${i}`, 's', 2 + i * 0.3, 3 + i * 0.3);
    if (late) scribe.request('late', late, 4, 5);
    return scribe;
  };
  const idle = () => new Retiring().serving().draining().deletes(6).end(20);
  is(load(idle()), { requirement: 'GS-RP-31' }, 'pass');
  is(load(idle(), 'v'), { requirement: 'GS-RP-31' }, 'fail');
});

test('RP-16, 17: two idle reads come before the delete, and the second counts', () => {
  const work = (D: number) =>
    new Retiring()
      .serving()
      .gauges('v', -2, 1, 0)
      .draining()
      .read(1.05, 'v')
      .gauges('v', 1.1, 9, 1)
      .read(1.2, 'v')
      .deployment(1.3, 'Draining', { reason: 'member chat-v still holds 1 in flight' })
      .gauges('v', 9.1, 12, 0)
      .read(10, 'v')
      .read(10.1, 'v')
      .deletes(D)
      .end(40);
  is(work(11), { requirement: 'GS-RP-16' }, 'pass');
  is(work(11), { requirement: 'GS-RP-17' }, 'pass');
  is(work(3), { requirement: 'GS-RP-16' }, 'fail');
  is(work(3), { requirement: 'GS-RP-17' }, 'fail');
});

test('RP-32: the answer is the own one', () => {
  const target_ = () => new Retiring().serving().gauges('v', -2, 1.5, 0).gauges('s', -2, 12, 1).draining();
  is(target_().gauges('v', 1.5, 4, 0).deletes(5).end(30), { requirement: 'GS-RP-32', part: 'busy survivor' }, 'pass');
  const held = target_()
    .deployment(1.5, 'Draining', { reason: 'member chat-v still holds 1 in flight' })
    .gauges('v', 1.5, 9, 0)
    .end(12);
  is(held, { requirement: 'GS-RP-32', part: 'busy survivor' }, 'fail');
  const own = (D: number) =>
    new Retiring().serving().gauges('v', -2, 12, 1).gauges('s', -2, 12, 0).draining().deletes(D).end(30);
  is(own(13), { requirement: 'GS-RP-32', part: 'idle survivor' }, 'pass');
  is(own(4), { requirement: 'GS-RP-32', part: 'idle survivor' }, 'fail');
});

test('RP-19: every member, and no other Pod', () => {
  const more = { uids: ['v', 's'] };
  const both = new Retiring().serving().draining(1, more).leave(target, { D: 3, S: 9, E: 10, ours: false });
  both.leave(survivor, { D: 3, S: 8, E: 9, ours: false }).deployment(12, undefined).end(20);
  is(both, { requirement: 'GS-RP-19' }, 'pass');
  const other = new Retiring().serving().draining(1).leave(target, { D: 3, S: 9, E: 10, ours: false });
  other.leave(survivor, { D: 3, S: 8, E: 9, ours: false }).deployment(12, undefined).end(20);
  is(other, { requirement: 'GS-RP-19' }, 'fail');
});

test('RP-11: a stream through the Service goes on', () => {
  const stream = (over: number, end: 'complete' | 'reset') => {
    const scribe = new Retiring().serving({ router: false }).request('direct', 'v', -3, over, end);
    const planned = scribe.events.find((e) => e.kind === 'request.planned');
    if (planned?.kind === 'request.planned') planned.data.via = 'service';
    return scribe
      .deployment(0, undefined, { router: false })
      .deployment(0.2, 'Admitted', { router: false })
      .deployment(30.3, 'Aborted', { router: false })
      .end(50);
  };
  is(stream(40, 'complete'), { requirement: 'GS-RP-11' }, 'pass');
  is(stream(2, 'reset'), { requirement: 'GS-RP-11' }, 'fail');
});
