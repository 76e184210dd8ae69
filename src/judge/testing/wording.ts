import type { Draw } from './draw.ts';

/** What an engine is called with, shows and logs, written out: no code of a judge or a double is in it. */
export function wording(engine: Draw['engine']) {
  if (engine === 'vLLM') {
    return {
      command: ['vllm', 'serve', 'm'],
      gauges: ['vllm:num_requests_running', 'vllm:num_requests_waiting'],
      read: (port: number) => `INFO:     127.16.0.1:${port} - "GET /metrics HTTP/1.1" 200 OK`,
      signal: '[shutdown] API server: shutdown triggered',
      received: (id: string) => `INFO 11-30 07:38:00 [logger.py:40] Received request cmpl-${id}-0: prompt`,
    };
  }
  const stamp = '[2026-11-30 07:38:00]';
  return {
    command: [
      ...['python3', '-m', 'sglang.launch_server', '--model-path', 'm'],
      ...(engine === 'SGLang' ? [] : ['--disaggregation-mode', engine]),
    ],
    gauges: [
      'sglang:num_running_reqs',
      'sglang:num_queue_reqs',
      'sglang:num_prefill_bootstrap_queue_reqs',
      'sglang:num_prefill_inflight_queue_reqs',
      'sglang:num_decode_prealloc_queue_reqs',
      'sglang:num_decode_transfer_queue_reqs',
    ],
    read: (port: number) => `${stamp} INFO:     127.16.0.1:${port} - "GET /metrics HTTP/1.1" 200 OK`,
    signal: `${stamp} SIGTERM received. signum=15 frame=None. Draining requests and shutting down...`,
    received: (id: string) => `${stamp} Receive: obj=GenerateReqInput(rid='${id}', http_worker_ipc=None)`,
  };
}
