import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';
const instead = (former: string, role: string) => ({ deployment: graph, role, replaces: former, lastWorkEnds: 0 });

/**
 * A worker and a frontend are deleted, and so are those that come in their place, as soon as their containers run: while a real
 * program still imports its modules, and a double may or may not have its handlers. Of such a signal the document says nothing;
 * the verdict has to say that, whatever becomes of the process.
 */
export const early = scenarioOf('Signal Handling')({
  id: 'dynamo-early-signal',
  title: 'a signal before the handlers are there is neither a graceful shutdown nor a breach',
  tags: ['early'],
  deploy: graphs({ name: graph, components: [frontend('frontend'), worker('worker')] }),
  cases: {
    worker: pod(graph, 'worker', 0),
    frontend: pod(graph, 'frontend', 0),
    'early-worker': instead('worker', 'worker'),
    'early-frontend': instead('frontend', 'frontend'),
  },
  act: [
    { at: 0, do: 'delete', cases: ['worker', 'frontend'] },
    { at: 0.1, do: 'delete', cases: ['early-worker', 'early-frontend'] },
  ],
  until: { gone: ['early-worker', 'early-frontend'], then: 1, atMost: 75 },
  decides: ['early-worker', 'early-frontend'].map((name) => {
    return { requirement: 'DY-SG-01', cases: [name], part: name, given: { idle: true } };
  }),
  // It is not to be decided: its control is a verdict.
  controls: [],
});
