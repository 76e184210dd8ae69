import assert from 'node:assert/strict';
import { test } from 'node:test';
import { llmdConfiguration } from '../../routers/llm-d-configuration.ts';
import { profileOf } from './profile.ts';

const roleKindLabel = 'modeldeployment.gpustack.ai/role-kind';
const engine = { name: 'vllm', queued: 'q', running: 'r' };
const profile = (kinds: string[]) => profileOf(llmdConfiguration({ kinds, roleKindLabel, engine })['epp.yaml']);

test('the halves of a split deployment are told by their labels; one of servers has none', () => {
  assert.equal(profile(['server']).split, undefined);
  assert.deepEqual(profile(['prefill', 'decode']).split, {
    prefill: { [roleKindLabel]: 'prefill' },
    decode: { [roleKindLabel]: 'decode' },
    fromTokens: 8,
  });
});
