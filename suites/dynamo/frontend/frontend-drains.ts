import { workerVariables } from '../../../src/engines/dynamo/facts.ts';
import { decide, frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';
const drains = { case: 'drains' };
const stops = { case: 'stops' };

const talks = { case: 'talks' };

/**
 * Three frontends of a graph leave, each asked straight at its Pod, since their Service forgets a Pod at the delete: the stream
 * of one ends within the timeout of 5 s, that of the next does not, and the third has a realtime session and nothing else.
 */
export default scenarioOf('Frontend HTTP Draining')({
  id: 'dynamo-frontend-drains',
  title: 'a frontend turns new requests away, stays live, finishes its bodies, and stops after its timeout',
  deploy: graphs({
    name: graph,
    components: [
      frontend('frontend'),
      frontend('edge'),
      frontend('voice'),
      worker('worker', { env: { [workerVariables.realtime]: 'True' } }),
    ],
  }),
  cases: { drains: pod(graph, 'frontend', 3.5), stops: pod(graph, 'edge', 5), talks: pod(graph, 'voice', 3.5) },
  load: {
    placed: [
      { name: 'within', to: drains, starts: -2, ends: 3.5 },
      { name: 'new', to: drains, starts: 2, tokens: 2 },
      { name: 'beyond', to: stops, starts: -2, ends: 16 },
      { name: 'session', to: talks, starts: -2, ends: 3.5, session: true },
    ],
  },
  before: [
    { kind: 'request-flows', request: 'within' },
    { kind: 'request-flows', request: 'beyond' },
  ],
  act: [{ at: 0, do: 'delete', cases: ['drains', 'stops', 'talks'] }],
  until: { gone: ['drains', 'stops', 'talks'], then: 1, atMost: 75 },
  decides: [
    ...decide(['DY-FE-01', 'DY-FE-02', 'DY-FE-03', 'DY-FE-04', 'DY-FE-07'], ['drains']).map((decision) => ({
      ...decision,
      given: { open: 'within', fresh: 'new' },
    })),
    { requirement: 'DY-SG-01', cases: ['drains'], part: 'frontend', given: { open: 'within' } },
    { requirement: 'DY-ED-03', cases: ['drains'], part: 'frontend', given: { part: 'frontend', open: 'within' } },
    { requirement: 'DY-FE-05', cases: ['talks'], given: { open: 'session' } },
    { requirement: 'DY-FE-06', cases: ['stops'], given: { open: 'beyond' } },
  ],
  controls: [
    { fault: 'dynamo-dies-at-signal', breaks: ['DY-SG-01'] },
    { fault: 'frontend-health-stays-up', breaks: ['DY-FE-01'] },
    { fault: 'frontend-admits-in-drain', breaks: ['DY-FE-02'] },
    { fault: 'frontend-live-fails-in-drain', breaks: ['DY-FE-03'] },
    { fault: 'frontend-cuts-bodies', breaks: ['DY-FE-04', 'DY-ED-03'] },
    { fault: 'frontend-drain-short', breaks: ['DY-FE-04', 'DY-FE-05', 'DY-FE-06', 'DY-ED-03'] },
    { fault: 'frontend-forgets-sessions', breaks: ['DY-FE-05'] },
    { fault: 'frontend-drain-long', breaks: ['DY-FE-06'] },
    { fault: 'frontend-cancels-runtime-first', breaks: ['DY-FE-07'] },
  ],
});
