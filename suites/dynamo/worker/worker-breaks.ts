import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';
const via = (role: string) => ({ service: graph, role });

/**
 * One of two workers is killed under streams of two frontends: one migrates, the other does not. Each has a stream on both
 * workers, since it chooses them in turn.
 */
export default scenarioOf('Migration Integration')({
  id: 'dynamo-worker-breaks',
  title: 'a broken stream goes on as one stream where the frontend migrates, and ends with an error where it does not',
  deploy: graphs({
    name: graph,
    components: [
      frontend('migrates', { extraArgs: ['--migration-limit', '3'] }),
      frontend('plain'),
      worker('worker', { replicas: 2 }),
    ],
  }),
  cases: { worker: pod(graph, 'worker', 0) },
  load: {
    placed: [
      { name: 'moved', to: via('migrates'), starts: -3, ends: 8, copies: 2 },
      { name: 'broken', to: via('plain'), starts: -3, ends: 8, copies: 2 },
    ],
  },
  before: [
    { kind: 'request-flows', request: 'moved' },
    { kind: 'request-flows', request: 'broken' },
  ],
  act: [{ at: 0, do: 'signal', cases: ['worker'], signal: 'KILL' }],
  until: { then: 11, atMost: 40 },
  decides: [
    { requirement: 'DY-MG-01', cases: ['worker'], given: { open: 'moved', frontend: 'migrates' } },
    { requirement: 'DY-MG-03', cases: ['worker'], given: { open: 'moved', frontend: 'migrates', without: 'broken' } },
    { requirement: 'DY-MG-02', cases: ['worker'], given: { open: 'broken', frontend: 'plain' } },
  ],
  controls: [
    { fault: 'frontend-never-migrates', breaks: ['DY-MG-01', 'DY-MG-03'] },
    { fault: 'frontend-repeats-tokens', breaks: ['DY-MG-01'] },
    { fault: 'frontend-hides-broken-streams', breaks: ['DY-MG-02'] },
  ],
});
