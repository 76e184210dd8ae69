import { dynamoFacts } from '../../../src/engines/dynamo/facts.ts';
import type { GraphInput } from '../../../src/systems/dynamo/types.ts';
import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const { grace } = dynamoFacts.variables;

/** A graph whose frontend has not heard of the departure of its one worker. */
const graph = (name: string, seconds: string): GraphInput => ({
  name,
  components: [frontend('stale', { frozenAt: 1 }), worker('worker', { env: { [grace]: seconds } })],
});
const via = (service: string) => ({ service, role: 'stale' });
const leaving = ['longer', 'shorter', 'word', 'negative'];

/**
 * Workers leave whose grace is set: longer and shorter than the default of 5 s, and to what is no duration, of which the document
 * says nothing but that every worker leaves gracefully. Requests on both sides of the grace's end, none of which a wait of 5 s
 * would answer alike, and a stream that holds the process open, tell how long it was.
 */
export default scenarioOf('Graceful Shutdown Process')({
  id: 'dynamo-grace-values',
  title: 'the grace is as long as its variable says, and a bad value ends no worker ungracefully',
  deploy: graphs(graph('longer', '8'), graph('shorter', '2.5'), graph('word', 'abc'), graph('negative', '-1')),
  cases: Object.fromEntries(leaving.map((name) => [name, pod(name, 'worker', 13)])),
  load: {
    placed: [
      ...leaving.map((name) => ({ name: `${name}-open`, to: via(name), starts: -2, ends: 13 })),
      { name: 'longer-inside', to: via('longer'), starts: 6.5, tokens: 2 },
      { name: 'longer-after', to: via('longer'), starts: 10.5, tokens: 2 },
      { name: 'shorter-inside', to: via('shorter'), starts: 1, tokens: 2 },
      { name: 'shorter-after', to: via('shorter'), starts: 4, tokens: 2 },
    ],
  },
  before: leaving.map((name) => ({ kind: 'request-flows', request: `${name}-open` })),
  act: [{ at: 0, do: 'delete', cases: leaving }],
  until: { gone: leaving, then: 1, atMost: 75 },
  decides: [
    ...['longer', 'shorter'].map((name) => ({
      requirement: 'DY-SQ-03',
      cases: [name],
      part: name,
      given: { inGrace: `${name}-inside`, after: `${name}-after` },
    })),
    ...['word', 'negative'].map((name) => ({
      requirement: 'DY-SG-01',
      cases: [name],
      part: `grace of a ${name}`,
      given: { open: `${name}-open` },
    })),
  ],
  controls: [
    { fault: 'worker-grace-constant', breaks: ['DY-SQ-03'] },
    { fault: 'dynamo-dies-at-signal', breaks: ['DY-SG-01'] },
  ],
});
