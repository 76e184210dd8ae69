import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoLines as lines } from '../../../engines/dynamo/log.ts';
import { findings } from '../../testing/build.ts';
import { DynamoScribe } from '../../testing/dynamo.ts';
import type { Way } from '../../testing/dynamo.ts';
import type { Outcome } from '../../verdict.ts';

const given = {
  open: 'open',
  inGrace: ['early', 'late'],
  after: 'after',
  rerouted: 'rerouted',
  stale: 'stale',
  outlasts: 'long',
};

/** Judges it, and again with each single event missing: that may leave it open, and never turns it over. */
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

interface Asked {
  open?: boolean;
  late?: 'complete' | 'http-error';
  after?: 'complete' | 'http-error' | 'silence';
  rerouted?: 'complete' | 'http-error';
}

function worker(
  way: Way = {},
  { open = true, late = 'complete', after = 'http-error', rerouted = 'http-error' }: Asked = {},
): DynamoScribe {
  const scribe = new DynamoScribe();
  if (open) scribe.ask('open', -2, 12);
  else scribe.ask('open', -2, 5.1, 'error-frame', { due: 12, tokens: 28 });
  scribe.ask('early', 1, 1.5);
  if (late === 'complete') scribe.ask('late', 4, 5.5);
  else scribe.ask('late', 4, 4.02, late, { status: 503 });
  if (after === 'silence') scribe.ask('after', 6.25, 14, after);
  else if (after === 'complete') scribe.ask('after', 6.25, 7);
  else scribe.ask('after', 6.25, 6.27, after, { status: 503 });
  if (rerouted === 'complete') scribe.ask('rerouted', 3.5, 4);
  else scribe.ask('rerouted', 3.5, 3.52, rerouted, { status: 503 });
  return scribe.frontend('f').frontend('g', 'stale').workerLeaves(way);
}

test('a worker that leaves as documented', () => {
  const ids = ['SG-01', 'SQ-01', 'SQ-02', 'SQ-03', 'SQ-04', 'SQ-05', 'SQ-07', 'ED-01', 'MG-04', 'CL-05'];
  for (const id of ids) is(worker(), `DY-${id}`, 'pass');
});

test('SG-01: neither dies of the signal nor has to be killed', () => {
  is(worker({ code: 143, E: 0.2 }, { open: false }), 'DY-SG-01', 'fail');
  is(worker({ code: 137, E: 60 }), 'DY-SG-01', 'fail');
});

test('SG-02: our own SIGINT starts the same steps', () => {
  is(worker({ interrupted: true }), 'DY-SG-02', 'pass');
  is(worker({ interrupted: true, code: 130, E: 0.1 }, { open: false }), 'DY-SG-02', 'fail');
  is(worker({ interrupted: true, cleanup: 2 }), 'DY-SG-02', 'fail');
  is(worker({ interrupted: true, unregister: 5.1 }), 'DY-SG-02', 'fail');
  is(worker(), 'DY-SG-02', 'inconclusive');
});

test('CL-04: an empty record, and nobody who answers', () => {
  const after = (status: number) =>
    worker().gauges('v', 12.35, 12.6, 0, 0, status === 200 ? { status } : { status, error: 'connect ECONNREFUSED' });
  is(after(0), 'DY-CL-04', 'pass');
  is(after(200), 'DY-CL-04', 'fail');
  is(worker(), 'DY-CL-04', 'inconclusive');
  is(worker({ unregister: undefined }), 'DY-CL-04', 'fail');
});

test('a record that somebody else takes away decides nothing against the worker', () => {
  const ids = ['SQ-01', 'SQ-02', 'SQ-03', 'SQ-04', 'SQ-06', 'SQ-07', 'ED-01', 'MG-04'];
  for (const open of [true, false])
    for (const id of ids) is(worker({ taken: -1 }, { open }), `DY-${id}`, 'inconclusive');
  is(
    worker({ taken: 3 }).gauges('v', 12.35, 12.6, 0, 0, { status: 0, error: 'connect ECONNREFUSED' }),
    'DY-CL-04',
    'inconclusive',
  );
});

test('a discovery that refuses to let it leave decides nothing against the worker', () => {
  const refused = () => worker({ unregister: undefined }).say(0.04, 'v', lines.notUnregistered, { error: 'forbidden' });
  for (const id of ['SQ-01', 'SQ-02', 'SQ-03', 'SQ-04', 'CL-04']) is(refused(), `DY-${id}`, 'inconclusive');
  assert.match(findings(refused().judge({ requirement: 'DY-SQ-02', given })), /refuses to let .* leave: forbidden/);
});

test('SQ-01, SQ-02: the record tells, whatever the log says', () => {
  const stays = () => worker({ unregister: undefined });
  is(stays(), 'DY-SQ-01', 'fail');
  is(stays(), 'DY-SQ-02', 'fail');
  is(worker({ unregister: 5.1 }), 'DY-SQ-02', 'fail');
  is(worker({ unregister: 5.3 }), 'DY-SQ-01', 'fail');
  is(worker({ unregister: 5.3 }), 'DY-SQ-03', 'inconclusive');
  is(worker({ cleanup: 2 }), 'DY-SQ-01', 'fail');
  is(worker({ cleanup: 7 }), 'DY-SQ-01', 'fail');
  is(worker({ cleanup: 7 }), 'DY-CL-05', 'fail');
});

test('SQ-03: neither sooner nor later', () => {
  is(worker({ runtime: 2 }), 'DY-SQ-03', 'fail');
  is(worker({ runtime: 8.1 }), 'DY-SQ-03', 'fail');
  is(worker({ runtime: 4.1 }), 'DY-SQ-03', 'fail');
  is(worker({}, { late: 'http-error' }), 'DY-SQ-03', 'fail');
  is(worker({}, { after: 'complete' }), 'DY-SQ-03', 'inconclusive');
  const P = 'DYN_GRACEFUL_SHUTDOWN_GRACE_PERIOD_SECS';
  is(worker({ env: { [P]: '8' }, runtime: 8.1 }), 'DY-SQ-03', 'fail');
  is(worker({ env: { [P]: 'abc' } }), 'DY-SQ-03', 'inconclusive');
});

test('SQ-04, SQ-05: served in the grace, refused after it, never left hanging', () => {
  is(worker({}, { late: 'http-error' }), 'DY-SQ-04', 'fail');
  is(worker({}, { after: 'complete' }), 'DY-SQ-05', 'fail');
  is(worker({ E: 20 }, { after: 'silence' }), 'DY-SQ-05', 'fail');
  is(worker({ runtime: 7 }), 'DY-SQ-05', 'inconclusive');
});

test('SQ-07: no frontend that follows discovery selects it', () => {
  const served = (uid: string, at: number, id: number | string = 123) =>
    worker({}, { rerouted: 'complete' }).say(at, uid, lines.selected, { worker_id: id });
  is(served('f', 3.51), 'DY-SQ-07', 'fail');
  is(served('f', 3.51, '7b'), 'DY-SQ-07', 'fail');
  is(served('f', 3.51, 124), 'DY-SQ-07', 'pass');
  is(served('g', 3.51), 'DY-SQ-07', 'inconclusive');
  is(worker().say(0.5, 'f', lines.selected, { worker_id: 123 }), 'DY-SQ-07', 'pass');
  is(worker().say(3.51, 'g', lines.selected, { worker_id: 123 }), 'DY-SQ-07', 'pass');
});

test('ED-01, MG-04: what runs at runtime.shutdown() is waited for', () => {
  is(worker({}, { open: false }), 'DY-ED-01', 'fail');
  is(worker({}, { open: false }), 'DY-MG-04', 'fail');
  is(worker({ runtime: 12.05 }), 'DY-ED-01', 'inconclusive');
});

test('SQ-06: the wait ends with its timeout', () => {
  const T = { DYN_RUNTIME_GRACEFUL_SHUTDOWN_TIMEOUT_SECS: '6' };
  const timeout = (teardown: number, { whole = true, remaining = true, over = teardown } = {}) =>
    new DynamoScribe()
      .ask('open', -2, 8, whole ? 'complete' : 'error-frame', { tokens: 40 })
      .ask('long', -2, over, 'error-frame', { due: 24, tokens: 50 })
      .workerLeaves({
        env: T,
        teardown,
        cleanup: teardown + 0.02,
        E: teardown + 0.1,
        timedOut: remaining ? { remaining_endpoints: 1 } : {},
      });
  is(timeout(11.1), 'DY-SQ-06', 'pass');
  is(timeout(14.1), 'DY-SQ-06', 'fail');
  is(timeout(8.5), 'DY-SQ-06', 'fail');
  is(timeout(11.1, { over: 9 }), 'DY-SQ-06', 'fail');
  is(timeout(11.1, { remaining: false }), 'DY-SQ-06', 'fail');
  is(timeout(11.1, { whole: false }), 'DY-SQ-06', 'inconclusive');
});
