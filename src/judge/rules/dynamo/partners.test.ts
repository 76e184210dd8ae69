import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoLines as lines } from '../../../engines/dynamo/log.ts';
import { findings } from '../../testing/build.ts';
import { DynamoScribe } from '../../testing/dynamo.ts';
import type { Way } from '../../testing/dynamo.ts';
import { withEveryClientGone, withEveryLoss } from '../../testing/every-loss.ts';
import type { Outcome } from '../../verdict.ts';

const given = {
  open: ['open', 'also'],
  inGrace: ['early', 'late'],
  after: ['after'],
  rerouted: ['rerouted'],
  outlasts: ['long'],
  fresh: ['new'],
  frontend: 'frontend',
};
const draining = '{"status":"not_ready","stage":"draining"}';

const leaves = (way: Way = {}) =>
  new DynamoScribe()
    .ask('open', -2, 12)
    .ask('also', -2, 11)
    .ask('early', 1, 1.5)
    .ask('late', 4, 5.5)
    .ask('after', 6.25, 6.27, 'http-error', { status: 503 })
    .ask('rerouted', 3.5, 3.52, 'http-error', { status: 503 })
    .say(5.07, 'v', lines.waiting, { endpoint_name: 'generate', inflight_count: 2 })
    .frontend('f')
    .workerLeaves(way);

const drains = (interrupted = false) =>
  new DynamoScribe()
    .ask('open', -2, 3.5)
    .ask('also', -2, 3)
    .ask('new', 2, 2.02, 'http-error', { status: 503 })
    .path('/health', -2, 0, 200)
    .path('/health', 0.1, 3.6, 503, draining)
    .path('/live', 0.1, 3.6, 200)
    .frontendLeaves({ interrupted });

const killed = (open: 'complete' | 'error-frame') =>
  new DynamoScribe()
    .ask('open', -3, open === 'complete' ? 8 : 0.2, open, { due: 8, tokens: open === 'complete' ? 44 : 12 })
    .ask('also', -3, 8)
    .ask('rerouted', -3, 8)
    .frontend('f')
    .say(-2.99, 'f', lines.selected, { worker_id: 123 })
    .say(-2.98, 'f', lines.selected, { worker_id: 124 })
    .workerKilled();

const timesOut = () =>
  new DynamoScribe()
    .ask('open', -2, 8, 'complete', { tokens: 40 })
    .ask('long', -2, 11.1, 'error-frame', { due: 24, tokens: 50 })
    .workerLeaves({
      env: { DYN_RUNTIME_GRACEFUL_SHUTDOWN_TIMEOUT_SECS: '6' },
      ...{ teardown: 11.1, cleanup: 11.12, E: 11.2, timedOut: { remaining_endpoints: 1 } },
    });

test('a client that leaves in mid-stream makes no requirement fail', () => {
  const gone = (scribe: DynamoScribe, ids: string, more: object = {}) => {
    for (const id of ids.split(' '))
      withEveryClientGone(scribe, { requirement: `DY-${id}`, given: { ...given, ...more } });
  };
  gone(leaves(), 'SG-01 SQ-01 SQ-02 SQ-03 SQ-04 SQ-05 SQ-07 ED-01 ED-03 MG-04 CL-05');
  gone(leaves(), 'K8-02', { part: 'requests' });
  gone(leaves({ interrupted: true }), 'SG-02', { part: 'worker' });
  gone(drains(), 'SG-01 FE-01 FE-02 FE-03 FE-04 FE-05 FE-07');
  gone(drains(true), 'SG-02', { part: 'frontend' });
  gone(drains(), 'ED-03', { part: 'frontend' });
  gone(killed('complete'), 'MG-01');
  gone(killed('complete'), 'MG-03', { without: 'rerouted' });
  gone(killed('error-frame'), 'MG-02');
  gone(timesOut(), 'SQ-06 MG-05');
});

const is = (scribe: DynamoScribe, id: string, outcome: Outcome, more: object = {}) =>
  withEveryLoss(scribe, { requirement: `DY-${id}`, given: { ...given, ...more } }, outcome);

test('a group whose clients all left decides nothing, and that is said', () => {
  const scribe = new DynamoScribe()
    .ask('open', -2, 1, 'client-left', { due: 12, tokens: 12 })
    .ask('also', -2, 2, 'client-left', { due: 12, tokens: 16 })
    .workerLeaves();
  const verdict = scribe.judge({ requirement: 'DY-ED-01', given });
  assert.equal(verdict.outcome, 'inconclusive');
  assert.match(findings(verdict), /no client of "open" stayed to the end/);
});

test('what is to be signalled again decides nothing where that did not happen', () => {
  const again = (n: number) => {
    const scribe = leaves();
    for (let i = 0; i < n; i++) scribe.action(`signal-${i}`, 2 + i, 'signal', 'Pod/n/v', 200);
    // One that came too late: the container had ended.
    return scribe.action('signal-late', 12.5, 'signal', 'Pod/n/v', 404);
  };
  for (const id of ['SG-01', 'SQ-03', 'ED-01']) {
    is(again(2), id, 'pass', { again: 2 });
    is(again(1), id, 'inconclusive', { again: 2 });
  }
});

/** A worker that is deleted, and killed by somebody 3 s later, in its grace; its streams break. */
const killedInGrace = () => {
  const spec = { uid: 'v', ip: '127.16.0.1', grace: 60, hook: false };
  const scribe = new DynamoScribe().ready(spec).bind('victim', 'v').record(-15, true, 'added');
  scribe
    .say(0.03, 'v', lines.signal)
    .record(0.04, false)
    .say(0.05, 'v', lines.unregistered)
    .say(0.05, 'v', lines.grace(5));
  for (const id of ['open', 'also', 'long']) scribe.ask(id, -2, 3.1, 'error-frame', { due: 12, tokens: 20 });
  for (const id of ['early', 'late']) scribe.ask(id, 2, 3.1, 'error-frame', { due: 4, tokens: 4 });
  scribe.action('signal-2-victim', 3, 'signal', 'Pod/n/v', 200, {}, { command: ['kill', '-KILL', '1'] });
  return scribe.leave(spec, { E: 3.05, code: 137 }).record(3.7, false, 'deleted').end(6);
};

test('a worker that is killed passes nothing that is graceful, and the document is not accused of it', () => {
  const ids =
    'SG-01 SG-02 SQ-01 SQ-03 SQ-04 SQ-05 SQ-06 SQ-08 ED-01 ED-02 ED-03 MG-04 CL-02 CL-03 CL-05 ER-01 ER-02 K8-03 K8-04';
  for (const id of ids.split(' ')) {
    const verdict = killedInGrace().judge({ requirement: `DY-${id}`, given: { ...given, part: 'worker' } });
    assert.notEqual(verdict.outcome, 'pass', `${id}: ${findings(verdict)}`);
  }
  const verdict = killedInGrace().judge({ requirement: 'DY-SG-01', given });
  assert.equal(verdict.outcome, 'inconclusive');
  assert.match(findings(verdict), /ended by a SIGKILL that was not due/);
});

/** A Pod that is signalled before it was ready. */
const early = (code: number) => {
  const spec = { uid: 'v', ip: '127.16.0.1', grace: 60, hook: false, isReady: false };
  const scribe = new DynamoScribe().ready(spec).bind('victim', 'v');
  // What it says, if it says anything, it says before it dies.
  if (code === 0) scribe.say(0.3, 'v', lines.signal).say(0.31, 'v', lines.runtime);
  return scribe.leave(spec, { E: 0.4, code }).end(3);
};

test('a signal before the handlers: neither graceful nor a breach, and the reason is told', () => {
  for (const code of [143, 0, 1])
    for (const more of [{}, { idle: true }]) {
      const verdict = early(code).judge({ requirement: 'DY-SG-01', given: { ...given, ...more } });
      assert.equal(verdict.outcome, 'inconclusive', `${code}: ${findings(verdict)}`);
      assert.match(findings(verdict), /not ready yet when it was signalled: its handlers may not have been there/);
    }
});

test('SG-01 of what has nothing to do: its own lines and its code', () => {
  const idle = (code: number, said: boolean, E = 5.3) => {
    const spec = { uid: 'v', ip: '127.16.0.1', grace: 60, hook: false };
    const scribe = new DynamoScribe().ready(spec).bind('victim', 'v');
    if (said) scribe.say(0.03, 'v', lines.signal).say(5.1, 'v', lines.runtime);
    return scribe.leave(spec, { E, code }).end(E + 3);
  };
  is(idle(0, true), 'SG-01', 'pass', { idle: true });
  is(idle(143, false, 0.1), 'SG-01', 'fail', { idle: true });
  is(idle(137, true, 60), 'SG-01', 'fail', { idle: true });
  is(idle(0, false), 'SG-01', 'inconclusive', { idle: true });
  is(idle(0, true), 'SG-01', 'inconclusive');
});
