import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios } from '../../suites/scenarios.ts';
import { everyAbility, kubernetesAbility, unsupportedReasons } from './abilities.ts';

const kubelet = { name: 'kubelet-late-hook', double: 'kubelet' };
const server = { name: 'refused-write-stored', double: 'api-server' };

const named = (id: string) => {
  const found = scenarios.find((s) => s.id === id);
  assert.ok(found, id);
  return found;
};

test('everything can be tried on a target with every ability', () => {
  for (const scenario of scenarios) assert.deepEqual(unsupportedReasons(scenario, [kubelet, server], everyAbility), []);
});

test('a scenario about one Kubernetes is for no other', () => {
  assert.deepEqual(['v1.28.15', 'v1.29.0', 'v1.34.4'].map(kubernetesAbility), [
    'kubernetes<1.29',
    'kubernetes>=1.29',
    'kubernetes>=1.29',
  ]);
  const has = everyAbility.filter((ability) => ability !== 'kubernetes<1.29');
  assert.match(unsupportedReasons(named('classic-proxy'), [], has).join(), /lacks "kubernetes<1.29" .*routing proxy/);
  assert.deepEqual(unsupportedReasons(named('direct-decoder'), [], has), []);
});

test('a target that lacks an ability: the reason names it and what asks for it', () => {
  const [reason, ...more] = unsupportedReasons(named('slow-engine'), [], ['doubles', 'faults']);
  assert.match(reason ?? '', /lacks "own-node" .*: "create-waiting-pod" needs a Node whose accelerators are all taken/);
  assert.deepEqual(more, []);
  assert.deepEqual(unsupportedReasons(named('one-gauge'), [], ['doubles']), []);
  assert.match(unsupportedReasons(named('one-gauge'), [kubelet], ['doubles'])[0] ?? '', /"faults".*kubelet-late-hook/);
  assert.match(
    unsupportedReasons(named('one-gauge'), [kubelet, server], ['doubles', 'faults']).join(),
    /^the target lacks "control-plane-faults" .*refused-write-stored$/,
  );
  assert.match(unsupportedReasons(named('one-gauge'), [], [])[0] ?? '', /"doubles".*quiesce\/tiny/);
});

test('with real engines the reason is what asks for a double, scenario by scenario', () => {
  assert.deepEqual(unsupportedReasons(named('delete-drains'), [], ['engines']), []);
  const reasons = unsupportedReasons(named('slow-engine'), [], ['engines']).join();
  assert.match(reasons, /lacks "doubles" .*behaves as told \(exitSeconds\).*lacks "own-node"/);
  assert.ok(!(everyAbility as string[]).includes('engines'), 'the embedded cluster has no real engine');
});
