import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Retiring, target } from '../../testing/retire.ts';
import { findings } from '../../testing/build.ts';
import type { Scribe } from '../../testing/build.ts';
import type { Outcome } from '../../verdict.ts';

const is = (scribe: Scribe, requirement: string, outcome: Outcome, given?: Record<string, string>) => {
  const decision = { requirement, cases: ['leaving'], ...(given ? { given } : {}) };
  const verdict = scribe.judge(decision, { leaving: { deployment: 'chat', role: 'serve' } });
  assert.equal(verdict.outcome, outcome, findings(verdict));
};

/** The harness's loop stood still from one second to the other. */
const stall = (scribe: Retiring, from: number, to: number) =>
  scribe.put('stall', to, 'harness', { scope: 'harness', from: (100 + from) * 1000, to: (100 + to) * 1000 });

test('RP-36: a budget that was overrun is a fail, whatever stalled minutes before its end', () => {
  const reason = 'member chat-v still holds 1 in flight';
  const still = (look: number, ...stalls: [number, number][]) => {
    const scribe = new Retiring().serving().draining(1).deployment(1.5, 'Draining', { reason });
    for (const [from, to] of stalls) stall(scribe, from, to);
    return scribe
      .look(look, target)
      .lookDeployment(look + 0.1, 'Draining', { reason })
      .end(look + 1);
  };
  is(still(258), 'GS-RP-36', 'fail');
  is(still(250), 'GS-RP-36', 'inconclusive');
  is(still(258, [30, 50], [100, 120]), 'GS-RP-36', 'fail');
  is(still(258, [242, 249]), 'GS-RP-36', 'inconclusive');
});

test('RP-36: what was written before it was seen may seem to end a little early, and no more than that', () => {
  const aborted = (after: number) =>
    new Retiring()
      .serving()
      .draining(1)
      .deployment(1 + after, 'Aborted', { reason: 'the drain budget was exhausted' })
      .look(250, target)
      .lookDeployment(250.1, 'Aborted', { reason: 'the drain budget was exhausted' })
      .end(251);
  is(aborted(240.2), 'GS-RP-36', 'pass');
  is(aborted(238.9), 'GS-RP-36', 'pass');
  is(aborted(237), 'GS-RP-36', 'inconclusive');
  is(aborted(120), 'GS-RP-36', 'fail');
});

test('RP-23: an answer that a stall kept away speaks for no other cause, and one that came does', () => {
  const held = (...stalls: [number, number][]) => {
    const reason = 'member chat-v reports no in-flight measurement';
    const scribe = new Retiring().serving().draining(1).deployment(3, 'Draining', { reason: 'unreadable values' });
    scribe.deployment(20, 'Draining', { reason });
    for (const [from, to] of stalls) stall(scribe, from, to);
    return scribe.look(30, target).look(30.1, target).lookDeployment(30.2, 'Draining', { reason }).end(31);
  };
  is(held(), 'GS-RP-23', 'fail', { reason: 'unreadable' });
  is(held([26, 27]), 'GS-RP-23', 'pass', { reason: 'unreadable' });
  is(held([5, 6]), 'GS-RP-23', 'fail', { reason: 'unreadable' });
});

test('RP-33: a read is late where it is so for every start that it may have had', () => {
  const reason = 'member chat-v served more than the 1048576 byte bound';
  const named = (at: number, drainingKnownAt = 1) => {
    const scribe = new Retiring().serving().draining(1);
    const [draining] = scribe.events.slice(-1);
    if (draining) draining.at = [draining.at[0], (100 + drainingKnownAt) * 1000];
    return scribe
      .deployment(at, 'Draining', { reason })
      .look(at + 15, target)
      .lookDeployment(at + 15.1, 'Draining', { reason })
      .end(at + 16);
  };
  const given = { reason: 'tooBig' };
  is(named(3), 'GS-RP-33', 'pass', given);
  is(named(30), 'GS-RP-33', 'fail', given);
  is(named(30, 20), 'GS-RP-33', 'inconclusive', given);
  is(named(3, 2.9), 'GS-RP-33', 'pass', given);
});
