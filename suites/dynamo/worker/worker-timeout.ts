import { dynamoFacts, workerVariables } from '../../../src/engines/dynamo/facts.ts';
import { decide, frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';
const to = { service: graph, role: 'frontend' };
const { runtimeTimeout } = dynamoFacts.variables;

/**
 * A worker with two endpoints that is told to wait 6 s has one request that ends before that, and several that do not: its
 * frontend chooses between the endpoints, a double in turn, a real one at random, and each has one of them.
 */
export default scenarioOf('Graceful Shutdown Process')({
  id: 'dynamo-worker-timeout',
  title: 'the wait for requests ends with its timeout, and what still ran ends as incomplete',
  deploy: graphs({
    name: graph,
    components: [
      frontend('frontend'),
      worker('worker', { env: { [runtimeTimeout]: '6', [workerVariables.endpoints]: 'generate,embed' } }),
    ],
  }),
  cases: { worker: pod(graph, 'worker', 11) },
  load: {
    placed: [
      { name: 'short', to, starts: -2.5, ends: 8 },
      { name: 'long', to, starts: -2, ends: 24, copies: 6 },
    ],
  },
  before: [
    { kind: 'request-flows', request: 'short' },
    { kind: 'request-flows', request: 'long' },
  ],
  act: [{ at: 0, do: 'delete', cases: ['worker'] }],
  until: { gone: ['worker'], then: 1, atMost: 75 },
  decides: decide(['DY-SQ-06', 'DY-SQ-08', 'DY-MG-05'], ['worker']).map((decision) => ({
    ...decision,
    given: { open: 'short', outlasts: 'long' },
  })),
  controls: [
    { fault: 'worker-waits-past-timeout', breaks: ['DY-SQ-06', 'DY-SQ-08'] },
    { fault: 'worker-waits-for-each-endpoint', breaks: ['DY-SQ-06', 'DY-SQ-08'] },
    { fault: 'worker-ends-as-whole', breaks: ['DY-MG-05'] },
    { fault: 'worker-hides-remaining', breaks: ['DY-SQ-06'] },
  ],
});
