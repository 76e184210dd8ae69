import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings, Scribe } from '../testing/build.ts';
import type { PodSpec } from '../testing/build.ts';
import { withEveryClientGone } from '../testing/every-loss.ts';
import type { Outcome, Verdict } from '../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));
const victim: PodSpec = { uid: 'v', ip: '127.16.0.1' };
const survivor: PodSpec = { uid: 's', ip: '127.16.0.2' };

interface Busy {
  S?: number;
  late?: 'abort' | 'error-frame' | 'silence' | 'eof' | 'complete';
  over?: number;
  last?: number;
  early?: 'complete' | 'reset';
  repeated?: number;
}

/** A replica that is busy to the signal at 25.3 s: one request ends at 23 s, one would end at 35 s. */
function busy(more: Busy = {}): Scribe {
  const { S = 25.3, late = 'abort', early = 'complete', repeated = 0 } = more;
  const { over = S + 0.05 } = more;
  const { last = over } = more;
  return new Scribe()
    .ready(victim)
    .ready(survivor)
    .bind('victim', 'v')
    .request('early', 'v', -3, 23, early, { due: 23 })
    .request('late', 'v', -3, over, late, { last, due: 35, repeated })
    .gauges('v', -2, S, 1)
    .leave(victim, { S, E: 30, code: 137 });
}

test('LM-01: exactly the requests that run at the signal are cut, in whatever form', () => {
  const decision = { requirement: 'GS-LM-01' };
  for (const late of ['abort', 'error-frame', 'eof'] as const) is(busy({ late }).judge(decision), 'pass');
  is(busy({ late: 'silence', last: 25.2, over: 26.5 }).judge(decision), 'pass');
  // Less loss is a pass with a note; more is a fail; a signal out of [G - 5, G - 3] too.
  const drained = busy({ late: 'complete', over: 28 }).judge(decision);
  is(drained, 'pass');
  assert.match(drained.findings[0]?.note ?? '', /less is lost/);
  is(busy({ early: 'reset' }).judge(decision), 'fail');
  is(busy({ S: 20 }).judge(decision), 'fail');
  is(busy({ S: 29.5 }).judge(decision), 'fail');
  is(busy({ late: 'silence', last: 12, over: 13 }).judge(decision), 'fail');
  is(busy().request('other', 's', -3, 12, 'reset', { due: 20 }).judge(decision), 'fail');
});

test('a client that leaves in mid-stream makes no requirement fail', () => {
  for (const id of ['LM-01', 'LM-03']) withEveryClientGone(busy(), { requirement: `GS-${id}` });
  // Nor does one that left long before, beside others.
  const left = busy().request('left', 'v', -3, 4, 'client-left', { due: 20 });
  for (const id of ['LM-01', 'LM-03']) is(left.judge({ requirement: `GS-${id}` }), 'pass');
  const drains = new Scribe().ready(victim).bind('victim', 'v').request('r', 'v', -3, 12);
  withEveryClientGone(drains.leave(victim, { S: 13.4, E: 14.4 }), { requirement: 'GS-DW-12' });
});

test('LM-01: a request that nobody is known to have served leaves it open', () => {
  const scribe = busy();
  scribe.request('stray', 'x', -3, 12, 'reset', { due: 20 });
  scribe.events.splice(
    scribe.events.findIndex((e) => e.kind === 'log.line' && e.data.uid === 'x'),
    1,
  );
  is(scribe.judge({ requirement: 'GS-LM-01' }), 'inconclusive');
});

test('LM-03: a cut stream goes on nowhere', () => {
  const decision = { requirement: 'GS-LM-03' };
  is(busy().judge(decision), 'pass');
  is(busy({ repeated: 5 }).judge(decision), 'fail');
  is(busy().line(25.4, 's', 'INFO [logger.py:40] Received request cmpl-late-0: x').judge(decision), 'fail');
  const alone = new Scribe()
    .ready(victim)
    .bind('victim', 'v')
    .request('late', 'v', -3, 25.35, 'abort', { due: 35 })
    .leave(victim, { S: 25.3, E: 30 });
  is(alone.judge(decision), 'inconclusive');
});

test('DW-12: what ends before G - 5 is whole, and the signal comes after it', () => {
  const history = (over: number, end: 'complete' | 'reset', S: number) =>
    new Scribe()
      .ready(victim)
      .bind('victim', 'v')
      .request('r', 'v', -3, over, end, { due: 12 })
      .leave(victim, { S, E: S + 1 });
  const decision = { requirement: 'GS-DW-12' };
  is(history(12, 'complete', 13.4).judge(decision), 'pass');
  is(history(12, 'complete', 11).judge(decision), 'fail');
  is(history(9, 'reset', 11).judge(decision), 'fail');
  is(history(7, 'complete', 8.4).judge(decision), 'inconclusive');
});

test('DW-05: what reaches the engine in the first 5 s is served, and no signal comes', () => {
  const history = (end: 'complete' | 'reset' | 'refused', S: number) =>
    new Scribe()
      .ready(victim)
      .bind('victim', 'v')
      .request('late', 'v', 1.5, 2.5, end, { via: 'pod' })
      .leave(victim, { S, E: S + 1 });
  const decision = { requirement: 'GS-DW-05' };
  is(history('complete', 6.2).judge(decision), 'pass');
  is(history('reset', 6.2).judge(decision), 'fail');
  is(history('refused', 6.2).judge(decision), 'fail');
  is(history('complete', 4.9).judge(decision), 'fail');
  is(history('complete', 5.01).judge(decision), 'inconclusive');
  is(new Scribe().ready(victim).bind('victim', 'v').leave(victim, { S: 6.2, E: 7 }).judge(decision), 'inconclusive');
});

/** Requests through the router every 0.25 s, in turn to both replicas; the victim's until `until`. */
function routed(until: number, share = 2): Scribe {
  const scribe = new Scribe().ready(victim).ready(survivor).bind('victim', 'v');
  for (let i = 0, t = -4; t < 9; t += 0.25, i++)
    scribe.request(`q${i}`, i % share === 0 && t <= until ? 'v' : 's', t, t + 0.2);
  return scribe.leave(victim, { S: 12, E: 13 });
}

test('DW-04: at 2 s the router has learned, at 5 s it is too late', () => {
  const decision = { requirement: 'GS-DW-04' };
  is(routed(0.05).judge(decision), 'pass');
  const slow = routed(1).judge(decision);
  is(slow, 'pass');
  assert.match(slow.findings[0]?.note ?? '', /1\.00 s after the delete/);
  is(routed(3.5).judge(decision), 'inconclusive');
  is(routed(6).judge(decision), 'fail');
  is(routed(0.05, 100).judge(decision), 'inconclusive');
  const lost = routed(0.05);
  lost.events.splice(
    lost.events.findIndex((e) => e.kind === 'log.line' && e.data.line.includes('cmpl-q29-0')),
    1,
  );
  is(lost.judge(decision), 'inconclusive');
});

test('DW-26 and DW-29: the kubelet tells when the hook began and ended', () => {
  const klog = (s: number, text: string) =>
    `I1130 08:01:${(40 + s).toFixed(6).padStart(9, '0')}    7 kubelet.go:1] "${text}" pod="n/v" containerName="main"`;
  const history = (start: number, end: number, signal: number) => {
    const scribe = new Scribe()
      .ready(victim)
      .bind('victim', 'v')
      .leave(victim, { S: signal, E: signal + 1 });
    for (const [s, text] of [
      [start, 'Running preStop hook'],
      [start + 0.1, 'PreStop hook process alive'],
      [end, 'PreStop hook completed'],
      [signal, 'Sending signal'],
    ] as const) {
      scribe.put('log.line', 15, 'Node/node', { uid: 'node', container: 'kubelet', line: klog(s, text) });
    }
    return scribe;
  };
  is(history(0.05, 6.1, 6.12).judge({ requirement: 'GS-DW-26' }), 'pass');
  is(history(0.05, 6.1, 10.2).judge({ requirement: 'GS-DW-26' }), 'fail');
  is(history(0.05, 6.1, 0.1).judge({ requirement: 'GS-DW-26' }), 'fail');
  is(history(0.05, 6.1, 6.12).judge({ requirement: 'GS-DW-29' }), 'pass');
  is(history(4, 10.1, 10.12).judge({ requirement: 'GS-DW-29' }), 'fail');
});
