import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';

/**
 * A worker and a frontend get SIGINT inside their containers, without a delete: each has a stream that outlasts what it
 * waits for first. The kubelet starts their containers again, which is nobody's promise here.
 */
export default scenarioOf('Signal Handling')({
  id: 'dynamo-interrupt',
  title: 'SIGINT starts the same steps as SIGTERM',
  deploy: graphs({ name: graph, components: [frontend('frontend'), frontend('edge'), worker('worker')] }),
  cases: { worker: pod(graph, 'worker', 8), edge: pod(graph, 'edge', 3.5) },
  load: {
    placed: [
      { name: 'on-worker', to: { service: graph, role: 'frontend' }, starts: -2, ends: 8 },
      { name: 'on-edge', to: { case: 'edge' }, starts: -2, ends: 3.5 },
    ],
  },
  before: [
    { kind: 'request-flows', request: 'on-worker' },
    { kind: 'request-flows', request: 'on-edge' },
  ],
  act: [{ at: 0, do: 'signal', cases: ['worker', 'edge'], signal: 'INT' }],
  until: { then: 14, atMost: 40 },
  decides: [
    { requirement: 'DY-SG-02', cases: ['worker'], part: 'worker', given: { part: 'worker', open: 'on-worker' } },
    { requirement: 'DY-SG-02', cases: ['edge'], part: 'frontend', given: { part: 'frontend', open: 'on-edge' } },
  ],
  controls: [{ fault: 'dynamo-dies-of-sigint', breaks: ['DY-SG-02'] }],
});
