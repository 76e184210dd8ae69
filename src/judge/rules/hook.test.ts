import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings, Scribe } from '../testing/build.ts';
import type { PodSpec } from '../testing/build.ts';
import type { Outcome, Verdict } from '../verdict.ts';

const victim: PodSpec = { uid: 'v', ip: '127.16.0.1', grace: 30 };

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));

/** A victim with a stream from -3 s to `over`, deleted at 0, signalled at `S`. */
function streaming(S: number, over: number, end: 'complete' | 'abort', spec = victim): Scribe {
  return new Scribe()
    .ready(spec)
    .bind('victim', 'v')
    .request('last', 'v', -3, over, end, { due: end === 'complete' ? over : 40, via: 'pod' });
}

const idle = (S: number, spec = victim) =>
  new Scribe()
    .ready(spec)
    .bind('victim', 'v')
    .gauges('v', -2, S, 0)
    .leave(spec, { S, E: S + 1 });

test('DW-06: two reads, 6 s; less is too early, much more too late', () => {
  is(idle(6.2).read(5.1, 'v').read(6.15, 'v').judge({ requirement: 'GS-DW-06' }), 'pass');
  is(idle(5.9).read(5.1, 'v').read(5.8, 'v').judge({ requirement: 'GS-DW-06' }), 'fail');
  is(idle(6.2).read(6.15, 'v').judge({ requirement: 'GS-DW-06' }), 'inconclusive');
  is(idle(9).read(7, 'v').read(8.9, 'v').judge({ requirement: 'GS-DW-06' }), 'fail');
});

test('DW-06: a stall that covers the decisive instant is inconclusive, on either side', () => {
  const stalled = (S: number) =>
    idle(S)
      .read(5.1, 'v')
      .read(6.15, 'v')
      .put('stall', S, 'harness', { scope: 'machine', from: 104_000, to: (100 + S) * 1000 + 5 });
  is(stalled(6.2).judge({ requirement: 'GS-DW-06' }), 'inconclusive');
  is(stalled(8.2).judge({ requirement: 'GS-DW-06' }), 'inconclusive');
});

test('DW-07: where the reads do not tell, the signal itself must come a second after the last work', () => {
  const after = (S: number) =>
    streaming(S, 12, 'complete')
      .gauges('v', -2, 12, 1)
      .gauges('v', 12.05, S, 0)
      .leave(victim, { S, E: S + 1 })
      .judge({ requirement: 'GS-DW-07' });
  is(after(13.9), 'pass');
  // Within the slack of an arrival: a hook that takes one idle read as enough may end here as well.
  is(after(13), 'inconclusive');
  is(after(12.9), 'fail');
});

test('DW-18: the annotated listener is busy, the decoy idle', () => {
  const spec = { ...victim, annotations: { 'prometheus.io/port': '9000' } };
  const decision = { requirement: 'GS-DW-18', given: { port: 9000, decoy: 8000 } };
  const kept = (S: number) =>
    streaming(S, 12, 'complete', spec)
      .gauges('v', -2, 12, 1)
      .gauges('v', 12.05, S, 0)
      .leave(spec, { S, E: S + 1 });
  is(kept(13.5).judge(decision), 'pass');
  is(streaming(6.2, 6.25, 'abort', spec).gauges('v', -2, 6.2, 1).leave(spec, { S: 6.2, E: 7 }).judge(decision), 'fail');
  is(kept(13.5).judge({ ...decision, given: { decoy: 9000 } }), 'inconclusive');
});

test('DW-19: each gauge alone, and no other', () => {
  const decision = (gauge: string) => ({ requirement: 'GS-DW-19', given: { alone: { victim: gauge } } });
  const waits = (S: number, waiting: number, running: number) =>
    streaming(S, 12, 'complete')
      .gauges('v', -2, 12, running, waiting)
      .gauges('v', 12.05, S, 0)
      .leave(victim, { S, E: S + 1 });
  is(waits(13.4, 1, 0).judge(decision('vllm:num_requests_waiting')), 'pass');
  is(waits(13.4, 1, 1).judge(decision('vllm:num_requests_waiting')), 'inconclusive');
  const early = streaming(6.2, 6.25, 'abort').gauges('v', -2, 6.2, 0, 1).leave(victim, { S: 6.2, E: 7 });
  is(early.judge(decision('vllm:num_requests_waiting')), 'fail');
});

test('DW-20: the hook ends at the failing read, whatever runs', () => {
  const decision = { requirement: 'GS-DW-20', part: 'http-error' };
  const failing = (S: number) =>
    streaming(S, S + 0.05, 'abort')
      .gauges('v', -2, 8.5, 1)
      .gauges('v', 8.5, S, null, null, { status: 500 })
      .read(7.2, 'v')
      .read(8.2, 'v')
      .leave(victim, { S, E: S + 1 });
  is(failing(9.3).judge(decision), 'pass');
  is(failing(26).judge(decision), 'fail');
  is(failing(9.3).judge({ ...decision, part: 'refused' }), 'inconclusive');
});

test('DW-21 and DW-22: a read that times out, or is garbage, keeps an idle replica to the end', () => {
  const hung = (S: number) =>
    new Scribe()
      .ready(victim)
      .bind('victim', 'v')
      .gauges('v', 0, S, null, null, { status: 0, error: 'timeout' })
      .leave(victim, { S, E: S + 1 });
  is(hung(26).judge({ requirement: 'GS-DW-21' }), 'pass');
  is(hung(8).judge({ requirement: 'GS-DW-21' }), 'fail');
  is(hung(29.5).judge({ requirement: 'GS-DW-21' }), 'fail');
  const garbage = (S: number) =>
    new Scribe()
      .ready(victim)
      .bind('victim', 'v')
      .gauges('v', 0, S, null)
      .leave(victim, { S, E: S + 1 });
  is(garbage(25.3).judge({ requirement: 'GS-DW-22' }), 'pass');
  is(garbage(6.2).judge({ requirement: 'GS-DW-22' }), 'fail');
  is(garbage(25.3).request('other', 'v', 1, 3).judge({ requirement: 'GS-DW-22' }), 'inconclusive');
});

test('DW-30: one busy series among idle ones', () => {
  const decision = { requirement: 'GS-DW-30', given: { ranks: 2 } };
  const ranks = (S: number, sum: number) =>
    streaming(S, 12, 'complete')
      .gauges('v', -2, 12, sum)
      .gauges('v', 12.05, S, 0)
      .leave(victim, { S, E: S + 1 });
  is(ranks(13.5, 1).judge(decision), 'pass');
  is(ranks(13.5, 2).judge(decision), 'inconclusive');
  is(streaming(6.2, 6.25, 'abort').gauges('v', -2, 6.2, 1).leave(victim, { S: 6.2, E: 7 }).judge(decision), 'fail');
});

test('LM-08: only the first 5 s, though work runs', () => {
  const moved = (S: number) => streaming(S, S + 0.05, 'abort').leave(victim, { S, E: S + 1 });
  is(moved(5.2).judge({ requirement: 'GS-LM-08' }), 'pass');
  is(moved(25.5).judge({ requirement: 'GS-LM-08' }), 'fail');
  is(moved(4.5).judge({ requirement: 'GS-LM-08' }), 'fail');
});

test('DW-11: three graces, idle and busy', () => {
  const cases = Object.fromEntries(
    [15, 30, 45].flatMap((g) => [
      [`i${g}`, { deployment: 'chat', role: 'serve', index: 0 }],
      [`b${g}`, { deployment: 'chat', role: 'serve', index: 1, lastWorkEnds: null }],
    ]),
  );
  const history = (reserve: (g: number) => number) => {
    const scribe = new Scribe();
    for (const grace of [15, 30, 45]) {
      const S = grace - reserve(grace) + 0.4;
      const [a, b] = [
        { ...victim, uid: `i${grace}`, grace },
        { ...victim, uid: `b${grace}`, grace },
      ];
      scribe
        .ready(a)
        .bind(a.uid, a.uid)
        .gauges(a.uid, -2, 6.2, 0)
        .read(5.1, a.uid)
        .read(6.15, a.uid)
        .leave(a, { S: 6.2, E: 7 });
      scribe
        .ready(b)
        .bind(b.uid, b.uid)
        .request(`r${grace}`, b.uid, -3, S + 0.05, 'abort', { due: 60 })
        .gauges(b.uid, -2, S, 1)
        .leave(b, { S, E: S + 1 });
    }
    return scribe;
  };
  const decision = { requirement: 'GS-DW-11', cases: Object.keys(cases) };
  is(history(() => 5).judge(decision, cases), 'pass');
  is(history((g) => g / 3).judge(decision, cases), 'fail');
  is(history(() => 5).judge({ ...decision, cases: ['i15', 'b15'] }, cases), 'inconclusive');
});

test('DW-13 and DW-10: an idle replica leaves early and by itself whatever G is', () => {
  const cases = {
    small: { deployment: 'chat', role: 'serve', index: 0 },
    large: { deployment: 'chat', role: 'serve', index: 1 },
  };
  const history = (S: number, E: number) => {
    const [a, b] = [
      { ...victim, uid: 'a' },
      { ...victim, uid: 'b', grace: 600 },
    ];
    return new Scribe()
      .ready(a)
      .bind('small', 'a')
      .gauges('a', -2, 6.2, 0)
      .read(5.1, 'a')
      .read(6.15, 'a')
      .leave(a, { S: 6.2, E: 7.2 })
      .ready(b)
      .bind('large', 'b')
      .gauges('b', -2, S, 0)
      .read(5.1, 'b')
      .read(6.15, 'b')
      .leave(b, { S, E });
  };
  const decision = { requirement: 'GS-DW-13', cases: ['small', 'large'] };
  is(history(6.2, 7.2).judge(decision, cases), 'pass');
  is(history(595, 596).judge(decision, cases), 'fail');
  is(history(6.2, 60).judge({ requirement: 'GS-DW-10', cases: ['large'] }, cases), 'fail');
  is(history(6.2, 7.2).judge({ ...decision, cases: ['small'] }, cases), 'inconclusive');
});
