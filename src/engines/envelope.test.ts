import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvelope } from './envelope.ts';

const GAUGES = ['vllm:num_requests_running', 'vllm:num_requests_waiting'];
const page = (running: string, waiting = 'vllm:num_requests_waiting 0') => `# TYPE x gauge\n${running}\n${waiting}\n`;
const read = (running: string, waiting?: string) => readEnvelope(page(running, waiting), GAUGES);

test('a whole envelope, with several series and labels that look like its end', () => {
  const series =
    'vllm:num_requests_running{m="a } 9"} 1.0\nvllm:num_requests_running{m="b",e="\\"1"} 2e0 1790000000000';
  assert.deepEqual(read(series), { missing: [], unreadable: [], total: 3 });
  assert.deepEqual(read('vllm:num_requests_running 0'), { missing: [], unreadable: [], total: 0 });
});

test('a gauge with only a sibling that shares its prefix is missing', () => {
  const answer = read('vllm:num_requests_running 1', 'vllm:num_requests_waiting_by_reason{reason="capacity"} 0');
  assert.deepEqual(answer, { missing: ['vllm:num_requests_waiting'], unreadable: [], total: 1 });
  assert.deepEqual(readEnvelope('', GAUGES).missing, GAUGES);
  assert.deepEqual(readEnvelope('<html>502</html>', GAUGES).missing, GAUGES);
  assert.deepEqual(read('# vllm:num_requests_running 0').missing, ['vllm:num_requests_running']);
});

for (const value of ['NaN', 'nan', '+Inf', '-Inf', 'Infinity', '-1', '1e999', 'banana', '', '0x1', '0\r', '0 banana']) {
  test(`${JSON.stringify(value)} is unreadable, even beside a good row`, () => {
    const answer = read(`vllm:num_requests_running{e="0"} 0\nvllm:num_requests_running{e="1"} ${value}`);
    assert.deepEqual(answer.unreadable, ['vllm:num_requests_running']);
  });
}

test('labels that never end are unreadable', () => {
  assert.deepEqual(read('vllm:num_requests_running{e="0" 0').unreadable, ['vllm:num_requests_running']);
});
