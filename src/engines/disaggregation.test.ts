import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disaggregationOf } from './disaggregation.ts';

const vllm = (...args: string[]) => ['vllm', 'serve', 'm', ...args];
const sglang = (...args: string[]) => ['python3', '-m', 'sglang.launch_server', '--model-path', 'm', ...args];

test('a whole engine is no part of anything', () => {
  for (const command of [
    vllm(),
    vllm('--data-parallel-size', '2'),
    sglang(),
    sglang('--disaggregation-mode', 'null'),
    sglang('--disaggregation-mode=null'),
    vllm('--kv-transfer-config', '{"kv_role":"kv_both"}'),
    vllm('--disaggregation-mode', 'prefill'),
  ])
    assert.equal(disaggregationOf(command), undefined, command.join(' '));
});

test('SGLang by its mode, in both spellings', () => {
  for (const args of [['--disaggregation-mode', 'decode'], ['--disaggregation-mode=decode']])
    assert.deepEqual(disaggregationOf(sglang(...args)), { engine: 'SGLang', mode: 'decode' });
  assert.deepEqual(disaggregationOf(sglang('--disaggregation-mode', 'prefill')), { engine: 'SGLang', mode: 'prefill' });
});

test('vLLM by the flags of its data-parallel balance, else by its KV transfer', () => {
  const shape = (...args: string[]) => disaggregationOf(vllm(...args));
  assert.deepEqual(shape('--data-parallel-external-lb'), { engine: 'vLLM', shape: 'External' });
  assert.deepEqual(shape('--data-parallel-rank=1'), { engine: 'vLLM', shape: 'External' });
  assert.deepEqual(shape('--data-parallel-hybrid-lb'), { engine: 'vLLM', shape: 'Hybrid' });
  assert.deepEqual(shape('--data-parallel-multi-port-external-lb'), { engine: 'vLLM', shape: 'MultiPort' });
  const transfer = '{"kv_connector":"MooncakeConnector","kv_role":"kv_consumer"}';
  assert.deepEqual(shape('--kv-transfer-config', transfer), { engine: 'vLLM', shape: 'Transfer', mode: 'decode' });
});
