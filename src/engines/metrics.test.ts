import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumGauge, sumGauges } from './metrics.ts';

const page = `# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="a } b, \\"c\\""} 1.0
vllm:num_requests_running{engine="1",model_name="a"} 2.0
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{engine="0",model_name="a"} 0.0
vllm:num_requests_waiting_by_reason{engine="0",model_name="a",reason="capacity"} 7.0
plain 4`;

test('sums all series of exactly that name', () => {
  assert.equal(sumGauge(page, 'vllm:num_requests_running'), 3);
  assert.equal(sumGauge(page, 'vllm:num_requests_waiting'), 0);
  assert.equal(sumGauge(page, 'plain'), 4);
  assert.deepEqual(sumGauges(page, ['plain', 'vllm:num_requests']), { plain: 4, 'vllm:num_requests': null });
});

test('null where it is absent, or one of its samples is no number', () => {
  assert.equal(sumGauge(page, 'vllm:absent'), null);
  assert.equal(sumGauge('', 'g'), null);
  assert.equal(sumGauge('g{a="1"} 1\ng{a="2"} banana\n', 'g'), null);
  assert.equal(sumGauge('g{a="1" 1\n', 'g'), null);
  assert.equal(sumGauge('g{a="1"}\n', 'g'), null);
  assert.equal(sumGauge('g NaN\n', 'g'), null);
});

test('damage elsewhere does not hide a gauge', () => {
  assert.equal(sumGauge('other{a= 1\ng 2\n', 'g'), 2);
  assert.equal(sumGauge('g 1e3 1700000000000\n', 'g'), 1000);
});
