import { dynamoFacts, workerVariables } from '../../../src/engines/dynamo/facts.ts';
import { decide, frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';
const steady = 'steady';
const { engine } = workerVariables;
const { httpTimeout } = dynamoFacts.variables;

/**
 * The engines of three workers are killed, at two phases of the monitor; that of the second one does not answer to its shutdown,
 * that of the third fails in it. Beside them a frontend drains in place for longer than its liveness probe is patient.
 */
export default scenarioOf('Error-Initiated Shutdown')({
  id: 'dynamo-engine-dies',
  title: 'a worker whose engine died ends with 1 and starts again; a frontend that drains is left in peace',
  deploy: graphs(
    { name: steady, components: [frontend('edge', { env: { [httpTimeout]: '60' } }), worker('worker')] },
    {
      name: graph,
      components: [
        worker('quick'),
        worker('stuck', { env: { [engine]: 'hangs' } }),
        worker('fatal', { runs: 'TensorRT-LLM', env: { [engine]: 'raises' } }),
      ],
    },
  ),
  cases: {
    quick: pod(graph, 'quick', 0),
    stuck: pod(graph, 'stuck', 0),
    fatal: pod(graph, 'fatal', 0),
    edge: pod(steady, 'edge', 40),
  },
  load: { placed: [{ name: 'long', to: { case: 'edge' }, starts: -2, ends: 40 }] },
  before: [{ kind: 'request-flows', request: 'long' }],
  act: [
    { at: 0, do: 'signal', cases: ['edge'], signal: 'TERM' },
    { at: 0, do: 'kill-engine', cases: ['quick', 'fatal'] },
    { at: 0.7, do: 'kill-engine', cases: ['stuck'] },
  ],
  until: { restarted: ['quick', 'stuck', 'fatal', 'edge'], then: 1, atMost: 75 },
  decides: [
    { requirement: 'DY-ER-01', cases: ['quick', 'stuck'] },
    ...decide(['DY-ER-02', 'DY-ER-06'], ['fatal']),
    { requirement: 'DY-ER-03', cases: ['quick', 'stuck', 'fatal'] },
    ...decide(['DY-ER-04', 'DY-ER-05'], ['stuck']),
    { requirement: 'DY-K8-03', cases: ['edge'], given: { open: 'long' } },
  ],
  controls: [
    { fault: 'vllm-monitor-late', breaks: ['DY-ER-01'] },
    { fault: 'vllm-runtime-before-engine', breaks: ['DY-ER-04'] },
    { fault: 'vllm-engine-shutdown-unbounded', breaks: ['DY-ER-05'] },
    { fault: 'worker-hides-fatal-error', breaks: ['DY-ER-01', 'DY-ER-02', 'DY-ER-03', 'DY-ER-04'] },
    { fault: 'trtllm-cleans-up-before-runtime', breaks: ['DY-ER-02'] },
    { fault: 'trtllm-hides-cause', breaks: ['DY-ER-06'] },
    { fault: 'frontend-live-fails-in-drain', breaks: ['DY-K8-03'] },
  ],
});
