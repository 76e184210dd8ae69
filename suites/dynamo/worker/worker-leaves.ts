import { decide, frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';
/** Follows discovery; and one that has not heard of the departure. */
const informed = { service: graph, role: 'frontend' };
const stale = { service: graph, role: 'stale' };

const given = {
  open: 'open',
  inGrace: ['early', 'late'],
  after: ['after', 'long-after'],
  rerouted: 'rerouted',
  stale: 'stale',
};

/**
 * The only worker of a graph leaves. Over a frontend that has not heard of it requests still reach it: in the first and the
 * last second of its grace of 5 s, just after it and three seconds after it, while a stream holds the process open.
 */
export default scenarioOf('Graceful Shutdown Process')({
  id: 'dynamo-worker-leaves',
  title: 'a worker leaves discovery, serves for the grace, refuses, waits for its requests, cleans up and goes',
  deploy: graphs({
    name: graph,
    components: [frontend('frontend'), frontend('stale', { frozenAt: 1 }), worker('worker')],
  }),
  cases: { worker: pod(graph, 'worker', 12) },
  load: {
    placed: [
      { name: 'open', to: informed, starts: -2, ends: 12 },
      { name: 'early', to: stale, starts: 1, tokens: 2 },
      { name: 'late', to: stale, starts: 4, tokens: 3 },
      { name: 'rerouted', to: informed, starts: 3.5, tokens: 2 },
      { name: 'after', to: stale, starts: 6.25, tokens: 2 },
      { name: 'long-after', to: stale, starts: 9.5, tokens: 2 },
    ],
  },
  before: [{ kind: 'request-flows', request: 'open' }],
  act: [{ at: 0, do: 'delete', cases: ['worker'] }],
  until: { gone: ['worker'], then: 1, atMost: 75 },
  decides: [
    ...decide(
      [
        'DY-SQ-01',
        'DY-SQ-02',
        'DY-SQ-03',
        'DY-SQ-04',
        'DY-SQ-05',
        'DY-SQ-07',
        'DY-ED-01',
        'DY-MG-04',
        'DY-CL-04',
        'DY-CL-05',
      ],
      ['worker'],
    ).map((decision) => ({ ...decision, given })),
    { requirement: 'DY-SG-01', cases: ['worker'], part: 'worker', given },
    ...['readiness', 'traffic', 'requests'].map((part) => {
      return { requirement: 'DY-K8-02', cases: ['worker'], part, given: { ...given, part } };
    }),
  ],
  controls: [
    { fault: 'dynamo-dies-at-signal', breaks: ['DY-SG-01', 'DY-CL-04'] },
    { fault: 'worker-stays-registered', breaks: ['DY-SQ-01', 'DY-SQ-02', 'DY-CL-04'] },
    { fault: 'worker-leaves-card', breaks: ['DY-CL-04'] },
    { fault: 'worker-unregisters-late', breaks: ['DY-SQ-01', 'DY-SQ-02'] },
    { fault: 'worker-grace-short', breaks: ['DY-SQ-03'] },
    { fault: 'worker-grace-long', breaks: ['DY-SQ-03'] },
    { fault: 'worker-refuses-in-grace', breaks: ['DY-SQ-03', 'DY-SQ-04'] },
    { fault: 'worker-accepts-after-grace', breaks: ['DY-SQ-05'] },
    { fault: 'worker-abandons-requests', breaks: ['DY-ED-01', 'DY-MG-04', 'DY-K8-02'] },
    { fault: 'worker-cleans-up-first', breaks: ['DY-SQ-01', 'DY-CL-05'] },
    { fault: 'frontend-routes-to-unregistered', breaks: ['DY-SQ-07', 'DY-K8-02'] },
    { fault: 'worker-health-stays-up', breaks: ['DY-K8-02'] },
  ],
});
