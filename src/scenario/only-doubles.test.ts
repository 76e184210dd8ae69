import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarioById } from '../../suites/scenarios.ts';
import { onlyOnDoubles } from './only-doubles.ts';

const reasons = (id: string) => onlyOnDoubles(scenarioById(id)!);

test('what needs no word to an engine or to the operator can be tried with real ones', () => {
  for (const id of [
    'delete-drains',
    'busy-flush',
    'rollout-drains',
    'scale-down-busy',
    'sglang-server',
    'shutdown-switches',
  ])
    assert.deepEqual(reasons(id), [], id);
});

test('what only a double does is named', () => {
  assert.deepEqual(reasons('busy-silence'), ['role serve of chat has an engine that behaves as told (abort: silence)']);
  assert.match(reasons('upgrade').join(), /begins with operator before-drain-window.*restarts the operator/);
  assert.match(
    reasons('held-unread').join(),
    /role serve of without-program runs quiesce\/vllm-bare:1,it tells an engine/,
  );
  assert.match(reasons('take-over').join(), /role given of chat starts its engine by a command of its own/);
  assert.match(reasons('refused-drains').join(), /its request transfers needs an engine that is told/);
  assert.match(reasons('unreadable-listener').join(), /role tls of chat needs a certificate/);
});
