import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../../testing/build.ts';
import { DynamoScribe } from '../../testing/dynamo.ts';
import type { Outcome } from '../../verdict.ts';

const given = { open: 'open', fresh: 'new', part: 'frontend' };
const draining = '{"status":"not_ready","stage":"draining"}';

/** Judges it, and again with each single event missing: that may leave it open, and never turns it over. */
function is(scribe: DynamoScribe, requirement: string, outcome: Outcome): void {
  const judged = () => scribe.judge({ requirement, given });
  const whole = judged();
  assert.equal(whole.outcome, outcome, `${requirement}: ${findings(whole)}`);
  const all = [...scribe.events];
  for (const [i, missing] of all.entries()) {
    if (missing.kind === 'probe.http' && i % 5 !== 0) continue; // one of many
    scribe.events.splice(0, Infinity, ...all.toSpliced(i, 1));
    const verdict = judged();
    const message = `${requirement} without ${missing.kind} at ${missing.at[1]}: ${findings(verdict)}`;
    assert.ok(outcome === 'inconclusive' || [outcome, 'inconclusive'].includes(verdict.outcome), message);
  }
  scribe.events.splice(0, Infinity, ...all);
}

interface Said {
  health?: number;
  live?: number;
  fresh?: number | undefined;
  open?: 'complete' | 'eof';
  stopping?: number;
  runtime?: number;
  code?: number;
  interrupted?: boolean;
}

/** A stream that ends 3.5 s after the signal, in a drain of 5 s. */
function drains({ health = 503, live = 200, fresh = 503, open = 'complete', ...more }: Said = {}): DynamoScribe {
  return new DynamoScribe()
    .ask('open', -2, open === 'complete' ? 3.5 : 1, open, { due: 3.5, tokens: 12 })
    .ask('new', 2, 2.02, fresh === 200 ? 'complete' : 'http-error', { status: fresh, tokens: fresh === 200 ? 2 : 0 })
    .path('/health', -2, 0, 200)
    .path('/health', 0.1, 3.6, health, health === 503 ? draining : '')
    .path('/live', -2, 0, 200)
    .path('/live', 0.1, 3.6, live)
    .frontendLeaves(more);
}

/** A stream that outlasts the 5 s. */
const outlasts = ({ stopping = 5.05, until = 0, runtime = 0, timesOut = true, over = 0 } = {}): DynamoScribe =>
  new DynamoScribe()
    .ask('open', -2, over || stopping + 0.1, over ? 'complete' : 'error-frame', { due: 16, tokens: over ? 72 : 20 })
    .path('/health', -2, 0, 200)
    .path('/health', 0.1, until || stopping, 503, draining)
    .frontendLeaves({ stopping, runtime, timesOut });

test('a frontend that drains as documented', () => {
  for (const id of ['SG-01', 'FE-01', 'FE-02', 'FE-03', 'FE-04', 'FE-07']) is(drains(), `DY-${id}`, 'pass');
});

test('SG-02: our own SIGINT starts the same drain', () => {
  is(drains({ interrupted: true }), 'DY-SG-02', 'pass');
  is(drains({ interrupted: true, code: 130, open: 'eof' }), 'DY-SG-02', 'fail');
  is(drains({ interrupted: true, health: 200 }), 'DY-SG-02', 'fail');
  is(drains(), 'DY-SG-02', 'inconclusive');
});

test('FE-01 to FE-03: health, new requests and liveness in the drain', () => {
  is(drains({ health: 200 }), 'DY-FE-01', 'fail');
  is(drains({ health: 0 }), 'DY-FE-01', 'fail');
  is(drains({ fresh: 200 }), 'DY-FE-02', 'fail');
  is(drains({ fresh: 404 }), 'DY-FE-02', 'fail');
  is(drains({ live: 503 }), 'DY-FE-03', 'fail');
  is(drains({ live: 0 }), 'DY-FE-03', 'fail');
});

test('FE-04, SG-01: what runs at the signal ends whole', () => {
  is(drains({ open: 'eof' }), 'DY-FE-04', 'fail');
  is(drains({ open: 'eof' }), 'DY-SG-01', 'inconclusive');
  is(drains({ open: 'eof', code: 143 }), 'DY-SG-01', 'fail');
  is(outlasts(), 'DY-FE-04', 'inconclusive');
});

test('FE-06: stopping comes with the timeout', () => {
  is(outlasts(), 'DY-FE-06', 'pass');
  is(outlasts({ stopping: 8.05 }), 'DY-FE-06', 'fail');
  is(outlasts({ stopping: 2.05 }), 'DY-FE-06', 'fail');
  is(outlasts({ stopping: 2.05, timesOut: false }), 'DY-FE-06', 'inconclusive');
  is(outlasts({ until: 9 }), 'DY-FE-06', 'fail');
  is(outlasts({ until: 2 }), 'DY-FE-06', 'inconclusive');
  is(outlasts({ runtime: 0.05 }), 'DY-FE-06', 'inconclusive');
  is(outlasts({ runtime: 0.05, over: 16 }), 'DY-FE-06', 'fail');
  is(drains(), 'DY-FE-06', 'inconclusive');
});

test('FE-07: the runtime is cancelled after the drain', () => {
  is(drains({ runtime: 0.05 }), 'DY-FE-07', 'fail');
  is(drains({ open: 'eof' }), 'DY-FE-07', 'inconclusive');
});
