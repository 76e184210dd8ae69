import { SHARED_MEMORY_FOLDER, workerVariables } from '../../../src/engines/dynamo/facts.ts';
import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const cases = ['vllm', 'sglang', 'trtllm'];
/** Temporary files go where they outlive the container, so that they can be looked at once it runs again. */
const kept = { TMPDIR: SHARED_MEMORY_FOLDER };
const folder = SHARED_MEMORY_FOLDER.slice(1);
/** Documented seconds that the other half of the SGLang pair, which is not there, is waited for. */
const PENDING = 24;

/**
 * A worker of each backend gets SIGTERM inside its container, without a delete: the files of its engine are listed before, and
 * once the container runs again. The prefill worker of SGLang has a consume task that is far from done, since no decode worker
 * is there to fetch what it computed; the engine of TensorRT-LLM fails to shut down.
 */
export default scenarioOf('Resource Cleanup')({
  id: 'dynamo-cleanup',
  title: 'workers remove their folders, cancel their tasks, end their engines, and go on where that fails',
  deploy: graphs(
    {
      name: 'half',
      components: [frontend('frontend'), worker('sglang', { type: 'prefill', runs: 'SGLang', env: kept })],
    },
    {
      name: 'chat',
      components: [
        worker('vllm', { env: kept }),
        worker('trtllm', { runs: 'TensorRT-LLM', env: { ...kept, [workerVariables.engine]: 'raises' } }),
      ],
    },
  ),
  cases: { vllm: pod('chat', 'vllm', 0), sglang: pod('half', 'sglang', 0), trtllm: pod('chat', 'trtllm', 0) },
  load: {
    placed: [
      {
        name: 'pending',
        to: { service: 'half', role: 'frontend' },
        starts: -2,
        ends: PENDING - 1,
        waitsForKv: PENDING,
      },
    ],
  },
  act: [
    { at: -1, do: 'list-files', cases: ['vllm', 'sglang'], folder },
    { at: 0, do: 'signal', cases, signal: 'TERM' },
    { at: 1, do: 'list-files', cases: ['vllm', 'sglang'], folder, restarted: true },
  ],
  until: { restarted: cases, then: 1, atMost: 40 },
  decides: [
    { requirement: 'DY-CL-01', cases: ['vllm'] },
    { requirement: 'DY-CL-02', cases: ['sglang'], given: { pending: 'pending', pendingFor: PENDING } },
    { requirement: 'DY-CL-03', cases: ['trtllm'] },
  ],
  onDoubles: {
    'DY-CL-01': 'dynamo.vllm.handlers of 1.6.1, which clean up, are not imported without torch and vLLM',
    'DY-CL-02': "SGLang's handlers of 1.6.1, which cancel and clean up, are not imported without SGLang",
  },
  controls: [
    { fault: 'worker-leaves-folders', breaks: ['DY-CL-01'] },
    { fault: 'worker-leaves-engine', breaks: ['DY-CL-01', 'DY-CL-02'] },
    { fault: 'sglang-awaits-tasks', breaks: ['DY-CL-02'] },
    { fault: 'trtllm-dies-of-cleanup-error', breaks: ['DY-CL-03'] },
  ],
});
