import { dynamoFacts, workerVariables } from '../../../src/engines/dynamo/facts.ts';
import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';
/** Long enough for a slow machine to do all of it in the drain. */
const env = { [dynamoFacts.variables.httpTimeout]: '12' };
const drains = { case: 'drains' };
const talks = { case: 'talks' };

/**
 * Two frontends leave. Of the clients of one, one hangs up in the drain, one reads no more from before it, and one stays. On the
 * other are two realtime sessions, of which one closes its half of the connection in the drain.
 */
export default scenarioOf('Frontend HTTP Draining')({
  id: 'dynamo-clients-leave',
  title: 'a client that leaves, reads no more or closes its half costs no other client its answer',
  deploy: graphs({
    name: graph,
    components: [
      frontend('frontend', { env }),
      frontend('voice', { env }),
      worker('worker', { env: { [workerVariables.realtime]: 'True' } }),
    ],
  }),
  cases: { drains: pod(graph, 'frontend', 6), talks: pod(graph, 'voice', 6) },
  load: {
    placed: [
      { name: 'stays', to: drains, starts: -2, ends: 6 },
      { name: 'leaves', to: drains, starts: -2, ends: 8, client: { does: 'leaves', at: 2 } },
      { name: 'deaf', to: drains, starts: -2, ends: 5, client: { does: 'stops-reading', at: -1 } },
      { name: 'talks', to: talks, starts: -2, ends: 6, session: true },
      { name: 'half', to: talks, starts: -2, ends: 8, session: true, client: { does: 'closes-its-half', at: 2 } },
    ],
  },
  before: ['stays', 'leaves'].map((request) => ({ kind: 'request-flows', request })),
  act: [{ at: 0, do: 'delete', cases: ['drains', 'talks'] }],
  until: { gone: ['drains', 'talks'], then: 1, atMost: 75 },
  decides: [
    ...['DY-SG-01', 'DY-FE-04'].map((requirement) => {
      return { requirement, cases: ['drains'], part: 'clients leave', given: { open: ['stays', 'leaves', 'deaf'] } };
    }),
    { requirement: 'DY-FE-05', cases: ['talks'], part: 'half closed', given: { open: ['talks', 'half'] } },
  ],
  controls: [{ fault: 'frontend-ends-with-a-client', breaks: ['DY-FE-04', 'DY-FE-05'] }],
});
