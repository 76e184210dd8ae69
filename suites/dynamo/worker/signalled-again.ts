import { dynamoFacts } from '../../../src/engines/dynamo/facts.ts';
import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';
const informed = { service: graph, role: 'frontend' };
const stale = { service: graph, role: 'stale' };

const given = { open: 'on-worker', inGrace: 'in-grace', after: 'after', again: 2 };

/**
 * A worker gets SIGTERM with its delete, again in its grace and once more while it waits for a stream; a frontend gets it three
 * times while it drains: either does what it does after the first one. And a worker is killed in its grace, under a stream.
 */
export default scenarioOf('Signal Handling')({
  id: 'dynamo-signalled-again',
  title: 'further signals shorten neither grace nor wait nor drain, and a stream survives a kill in the grace',
  deploy: graphs(
    {
      name: graph,
      components: [
        frontend('frontend'),
        frontend('stale', { frozenAt: 1 }),
        frontend('edge', { env: { [dynamoFacts.variables.httpTimeout]: '15' } }),
        worker('worker'),
      ],
    },
    {
      name: 'killed',
      components: [frontend('frontend', { extraArgs: ['--migration-limit', '3'] }), worker('worker', { replicas: 2 })],
    },
  ),
  cases: {
    killed: pod('killed', 'worker', 2),
    worker: pod(graph, 'worker', 9),
    edge: pod(graph, 'edge', 5),
  },
  load: {
    placed: [
      { name: 'on-worker', to: informed, starts: -2, ends: 9 },
      { name: 'moved', to: { service: 'killed', role: 'frontend' }, starts: -2.5, ends: 8, copies: 2 },
      { name: 'in-grace', to: stale, starts: 3.25, tokens: 2 },
      { name: 'after', to: stale, starts: 7.25, tokens: 2 },
      { name: 'on-edge', to: { case: 'edge' }, starts: -2, ends: 5 },
    ],
  },
  before: [
    { kind: 'request-flows', request: 'on-worker' },
    { kind: 'request-flows', request: 'on-edge' },
    { kind: 'request-flows', request: 'moved' },
  ],
  act: [
    { at: 0, do: 'delete', cases: ['worker', 'edge', 'killed'] },
    { at: 1, do: 'signal', cases: ['edge'], signal: 'TERM' },
    { at: 2, do: 'signal', cases: ['worker', 'edge'], signal: 'TERM' },
    { at: 2, do: 'signal', cases: ['killed'], signal: 'KILL' },
    { at: 6.25, do: 'signal', cases: ['worker'], signal: 'TERM' },
  ],
  until: { gone: ['worker', 'edge', 'killed'], then: 1, atMost: 75 },
  decides: [
    ...['DY-SG-01', 'DY-SQ-03', 'DY-ED-01'].map((requirement) => {
      return { requirement, cases: ['worker'], part: 'worker signalled again', given };
    }),
    ...['DY-SG-01', 'DY-FE-04'].map((requirement) => {
      return { requirement, cases: ['edge'], part: 'frontend signalled again', given: { open: 'on-edge', again: 2 } };
    }),
    {
      requirement: 'DY-MG-01',
      cases: ['killed'],
      part: 'killed in its grace',
      given: { open: 'moved', frontend: 'frontend' },
    },
  ],
  controls: [
    { fault: 'frontend-never-migrates', breaks: ['DY-MG-01'] },
    { fault: 'dynamo-dies-of-second-signal', breaks: ['DY-SG-01', 'DY-FE-04'] },
    { fault: 'worker-hurries-at-second-signal', breaks: ['DY-SQ-03', 'DY-ED-01'] },
    { fault: 'frontend-stops-at-second-signal', breaks: ['DY-FE-04'] },
  ],
});
