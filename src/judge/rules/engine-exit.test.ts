import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings, Scribe } from '../testing/build.ts';
import type { PodSpec } from '../testing/build.ts';
import type { Outcome, Verdict } from '../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));
const half: PodSpec = { uid: 'v', ip: '127.16.0.1', engine: 'decode' };
const server: PodSpec = { uid: 'v', ip: '127.16.0.1', engine: 'SGLang' };

/** A replica without work that is signalled at 6.3 s and ends at E. */
const idle = (spec: PodSpec, E: number, S = 6.3) =>
  new Scribe().ready(spec).bind('victim', 'v').gauges('v', -2, E, 0).leave(spec, { S, E, code: 137 });

/** A replica whose one request ends at x. */
const works = (
  spec: PodSpec,
  x: number,
  S: number,
  E: number,
  end: 'complete' | 'eof' | 'abort' = 'complete',
  due = x,
) =>
  new Scribe()
    .ready(spec)
    .bind('victim', 'v')
    .request('one', 'v', -3, x, end, { due })
    .gauges('v', -2, x, 1)
    .gauges('v', x + 0.05, E, 0)
    .leave(spec, { S, E, code: 137 });

test('DW-16, DW-34: 15 to 22 s after the signal; faster breaks the second alone', () => {
  const both = (scribe: Scribe) => ['GS-DW-16', 'GS-DW-34'].map((requirement) => scribe.judge({ requirement }).outcome);
  const at45 = { ...half, grace: 45 };
  assert.deepEqual(both(idle(at45, 26)), ['pass', 'pass']);
  assert.deepEqual(both(idle(at45, 10)), ['pass', 'fail']);
  assert.match(idle(at45, 10).judge({ requirement: 'GS-DW-16' }).findings[0]?.note ?? '', /faster/);
  assert.deepEqual(both(idle(at45, 40)), ['fail', 'pass']);
  // Killed at G, whether it would have left in time nobody knows.
  assert.deepEqual(both(idle({ ...half, grace: 20 }, 20)), ['inconclusive', 'inconclusive']);
  assert.deepEqual(both(idle({ ...server, grace: 45 }, 26)), ['inconclusive', 'inconclusive']);
});

test('DW-17: with G = 45 it leaves by itself', () => {
  const decision = { requirement: 'GS-DW-17' };
  is(idle({ ...half, grace: 45 }, 26).judge(decision), 'pass');
  is(idle({ ...half, grace: 45 }, 45).judge(decision), 'fail');
  is(idle({ ...half, grace: 30 }, 26).judge(decision), 'inconclusive');
  is(works({ ...half, grace: 45 }, 30, 32, 45).judge(decision), 'inconclusive');
});

test('DW-17, LM-06: a stall in the middle of the grace does not explain an end at G, one as long as the wait does', () => {
  const stalled = (seconds: number) => {
    const scribe = idle({ ...half, grace: 45 }, 45);
    const [from, to] = [115_000, 115_000 + seconds * 1000];
    // Gauges that answer up to the kill.
    scribe.gauges('v', 6.4, 45, 0).put('stall', 10, 'harness', { scope: 'machine', from, to });
    return ['GS-DW-17', 'GS-LM-06'].map((requirement) => scribe.judge({ requirement }).outcome);
  };
  assert.deepEqual(stalled(2), ['fail', 'fail']);
  assert.deepEqual(stalled(17), ['inconclusive', 'inconclusive']);
});

test('DW-10: SGLang may take the 5 s of its watchdog, a split half is no server', () => {
  is(idle(server, 11).judge({ requirement: 'GS-DW-10' }), 'pass');
  is(idle(server, 30).judge({ requirement: 'GS-DW-10' }), 'fail');
  is(idle(half, 22).judge({ requirement: 'GS-DW-10' }), 'inconclusive');
});

test('DW-37, LM-06: killed at G after a late signal, at no cost', () => {
  const each = (scribe: Scribe) => ['GS-DW-37', 'GS-LM-06'].map((requirement) => scribe.judge({ requirement }).outcome);
  assert.deepEqual(each(works(half, 20, 22, 30)), ['pass', 'pass']);
  assert.deepEqual(each(works(half, 20, 22, 30, 'eof', 21)), ['fail', 'fail']);
  assert.deepEqual(each(works(half, 20, 22, 33)), ['pass', 'fail']);
  // It may leave without the kill: less than the document admits.
  const left = works(half, 20, 22, 26);
  assert.deepEqual(each(left), ['inconclusive', 'pass']);
  assert.match(left.judge({ requirement: 'GS-LM-06' }).findings[0]?.note ?? '', /less/);
  // An early signal leaves it the time.
  assert.deepEqual(each(works({ ...half, grace: 45 }, 12, 14, 34)), ['inconclusive', 'pass']);
  assert.deepEqual(each(works({ ...half, grace: 45 }, 12, 14, 45)), ['inconclusive', 'fail']);
  assert.deepEqual(each(works(half, 9, 11, 29)), ['inconclusive', 'inconclusive']);
});

test('LM-02: SGLang drains on after its signal; the rest is cut at G and no sooner', () => {
  const decision = { requirement: 'GS-LM-02' };
  const busy = (after: 'complete' | 'abort', over: number, cutAt = 30.05, spec = server) =>
    new Scribe()
      .ready(spec)
      .bind('victim', 'v')
      .request('after', 'v', -3, over, after, { due: 28 })
      .request('outlasts', 'v', -3, cutAt, 'eof', { due: 36 })
      .gauges('v', -2, 28, 2)
      .gauges('v', 28.05, 30, 1)
      .leave(spec, { S: 25.3, E: 30, code: 137 });
  is(busy('complete', 28).judge(decision), 'pass');
  is(busy('abort', 25.4).judge(decision), 'fail');
  is(busy('complete', 28, 27).judge(decision), 'fail');
  is(busy('complete', 28, 33).judge(decision), 'fail');
  is(busy('complete', 28, 30.05, { ...server, engine: 'vLLM' }).judge(decision), 'inconclusive');
  is(works(server, 20, 22, 26).judge(decision), 'inconclusive');
});

test('DW-35: the drain is skipped, the 15 s are not', () => {
  const decision = { requirement: 'GS-DW-35' };
  const spec = { ...half, env: { SGL_FORCE_SHUTDOWN: '1' } };
  const forced = (E: number, of: PodSpec = spec) => works(of, E + 0.05, 5.2, E, 'eof', 40);
  is(forced(22).judge(decision), 'pass');
  is(forced(8).judge(decision), 'fail');
  is(forced(30).judge(decision), 'fail');
  is(forced(22, half).judge(decision), 'inconclusive');
});

test('DW-36: told to wait, vLLM finishes what runs and serves nothing new', () => {
  const decision = { requirement: 'GS-DW-36' };
  const spec: PodSpec = { uid: 'v', ip: '127.16.0.1', args: ['--shutdown-timeout', '60'] };
  const told = (end: 'complete' | 'abort', over: number, late: 'http-error' | 'complete', of = spec) =>
    works(of, over, 25.3, 30, end, 28)
      .request('late', 'v', 26, 26.1, late, { via: 'pod' })
      .put('request.planned', 26, 'request/late', {
        id: 'late',
        group: 'late',
        via: 'pod',
        case: 'victim',
        plannedAt: 0,
        tokens: 1,
        tokenSeconds: 0.25,
      });
  is(told('complete', 28, 'http-error').judge(decision), 'pass');
  is(told('abort', 25.4, 'http-error').judge(decision), 'fail');
  is(told('complete', 28, 'complete').judge(decision), 'fail');
  is(told('complete', 28, 'http-error', { ...spec, args: [] }).judge(decision), 'inconclusive');
  is(works(spec, 28, 25.3, 30).judge(decision), 'inconclusive');
});

test('RP-30: what waits for its KV is in the gauge of its queue', () => {
  const gauge = 'sglang:num_decode_transfer_queue_reqs';
  const waits = (more: Record<string, number>) =>
    new Scribe()
      .ready(half)
      .bind('victim', 'v')
      .request('waits', 'v', -3, 10)
      .gauges('v', -2, 9.7, 0, 0, { status: 200 }, more)
      .gauges('v', 10.05, 12, 0)
      .leave(half, { S: 12, E: 30, code: 137 })
      .judge({ requirement: 'GS-RP-30', given: { queue: gauge } });
  is(waits({ [gauge]: 1 }), 'pass');
  is(waits({}), 'fail');
  is(waits({ 'sglang:num_queue_reqs': 1 }), 'inconclusive');
});

test('LM-02, DW-27: a kill before the signal needs no signal to be told', () => {
  const killed = new Scribe()
    .ready(server)
    .bind('victim', 'v')
    .request('one', 'v', -3, 22.05, 'eof', { due: 36 })
    .gauges('v', -2, 22, 1)
    .leave(server, { E: 22, code: 137 });
  is(killed.judge({ requirement: 'GS-LM-02' }), 'fail');
  is(killed.judge({ requirement: 'GS-DW-27' }), 'fail');
  is(killed.judge({ requirement: 'GS-DW-08' }), 'fail');
});
