import { alone, pair, pod, scenario, sglang } from './scenario.ts';

/** Each of SGLang's gauges with the Pod on which it alone is above 0. */
const gauges = {
  running: { gauge: 'sglang:num_running_reqs', of: pod('server', 'serve', 0, 10) },
  queue: { gauge: 'sglang:num_queue_reqs', of: pod('server', 'serve', 1, 10) },
  bootstrap: { gauge: 'sglang:num_prefill_bootstrap_queue_reqs', of: pod('pd', 'prefill', 0, 10) },
  inflight: { gauge: 'sglang:num_prefill_inflight_queue_reqs', of: pod('pd', 'prefill', 1, 10) },
  prealloc: { gauge: 'sglang:num_decode_prealloc_queue_reqs', of: pod('pd', 'decode', 0, 10) },
  transfer: { gauge: 'sglang:num_decode_transfer_queue_reqs', of: pod('pd', 'decode', 1, 10) },
};
const names = Object.keys(gauges) as (keyof typeof gauges)[];
const waiting = names.filter((name) => name !== 'running');
/** The two of a pair whose gauges tell that a request waits for its KV. */
const forKv = ['inflight', 'prealloc', 'transfer'] as const;

/** Each gauge of SGLang alone above 0, one request on each replica. */
export default scenario({
  id: 'six-gauges',
  title: "each of SGLang's six gauges alone keeps the replica busy",
  deploy: alone(sglang('server', { name: 'serve', replicas: 2 }), pair('pd', 2)),
  cases: Object.fromEntries(names.map((name) => [name, gauges[name].of])),
  load: {
    placed: [
      { name: 'runs', to: { case: 'running' }, starts: -4, ends: 10 },
      // Its one token follows a token time after the wait.
      ...waiting.map((name) => ({
        name: `waits-${name}`,
        to: { case: name },
        starts: -4,
        waitsForKv: 13.75,
        waitsIn: name,
        tokens: 1,
      })),
    ],
  },
  act: [{ at: 0, do: 'delete', cases: names }],
  until: { gone: names, atMost: 45 },
  decides: [
    ...names.map((name) => ({
      requirement: 'GS-DW-19',
      cases: [name],
      part: name,
      given: { alone: { [name]: gauges[name].gauge } },
    })),
    ...forKv.map((name) => ({
      requirement: 'GS-RP-30',
      cases: [name],
      part: name,
      given: { queue: gauges[name].gauge },
    })),
  ],
  controls: [
    { fault: 'hook-ignores-running', breaks: ['GS-DW-19'] },
    { fault: 'hook-ignores-queue', breaks: ['GS-DW-19'] },
    { fault: 'hook-ignores-prefill-bootstrap', breaks: ['GS-DW-19'] },
    { fault: 'hook-ignores-prefill-inflight', breaks: ['GS-DW-19'] },
    { fault: 'hook-ignores-decode-prealloc', breaks: ['GS-DW-19'] },
    { fault: 'hook-ignores-decode-transfer', breaks: ['GS-DW-19'] },
    { fault: 'sglang-kv-gauges-zero', breaks: ['GS-RP-30'] },
  ],
});
