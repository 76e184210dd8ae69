import { test } from 'node:test';
import { dynamoLines as lines } from '../../../engines/dynamo/log.ts';
import type { EndKind } from '../../../history/event.ts';
import { DynamoScribe } from '../../testing/dynamo.ts';
import { withEveryLoss } from '../../testing/every-loss.ts';
import type { Outcome } from '../../verdict.ts';

const is = (scribe: DynamoScribe, id: string, outcome: Outcome) =>
  withEveryLoss(scribe, { requirement: `DY-${id}`, given: { open: 'open' } }, outcome);

const leaves = (end: EndKind, over: number, E: number, waits = 1, code = 0) =>
  new DynamoScribe()
    .ask('open', -2, over, end, { due: end === 'complete' ? over : 24, tokens: 20 })
    .say(5.07, 'v', lines.waiting, { endpoint_name: 'generate', inflight_count: waits })
    .workerLeaves({ E, code, cleanup: E - 0.1, teardown: E - 0.2 });

test('ED-02: gone at once, although a request runs', () => {
  is(leaves('error-frame', 5.3, 5.4), 'ED-02', 'pass');
  is(leaves('complete', 24, 24.2), 'ED-02', 'fail');
  is(leaves('error-frame', 14, 14.2), 'ED-02', 'fail');
  is(leaves('complete', 4, 5.4), 'ED-02', 'inconclusive');
});

test('ED-03: what runs is waited for', () => {
  is(leaves('complete', 12, 12.2), 'ED-03', 'pass');
  is(leaves('error-frame', 5.3, 5.4), 'ED-03', 'fail');
  is(leaves('complete', 12, 12.2, 0), 'ED-03', 'inconclusive');
  is(leaves('complete', 4, 5.4), 'ED-03', 'inconclusive');
});

test('SQ-08: one bound for two endpoints', () => {
  const gives = (teardown: number, names: string[]) => {
    const scribe = new DynamoScribe();
    for (const endpoint_name of names)
      scribe.say(11.07, 'v', lines.ingressTimedOut, { endpoint_name, remaining: 1, timeout_secs: 6 });
    const env = { DYN_RUNTIME_GRACEFUL_SHUTDOWN_TIMEOUT_SECS: '6' };
    return scribe.workerLeaves({ env, teardown, cleanup: teardown + 0.02, E: teardown + 0.1 });
  };
  is(gives(11.1, ['generate', 'embed']), 'SQ-08', 'pass');
  is(gives(17.1, ['generate', 'embed']), 'SQ-08', 'fail');
  is(gives(11.1, ['generate', 'generate']), 'SQ-08', 'inconclusive');
});

test('FE-05: a session keeps the drain open', () => {
  const talks = (end: EndKind, over: number, stopping: number) =>
    new DynamoScribe()
      .ask('open', -2, over, end, { due: 3.5, tokens: 12 })
      .path('/health', 0.2, 1.5, 503, '{"stage":"draining"}')
      .frontendLeaves({ stopping });
  is(talks('complete', 3.5, 3.6), 'FE-05', 'pass');
  is(talks('eof', 0.3, 0.2), 'FE-05', 'fail');
  is(talks('complete', 3.5, 1), 'FE-05', 'fail');
});
