import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const graph = 'chat';
const G = 15;

/** An operator renders a graph. One of its workers asks for a grace of its own, and has a stream that outlasts it. */
export default scenarioOf('Kubernetes Integration')({
  id: 'dynamo-operator-grace',
  title: 'Pods of the operator have 60 s where nobody says another grace, and are killed when it is over',
  deploy: {
    ...graphs({
      name: graph,
      components: [frontend('frontend'), worker('worker', { terminationGracePeriodSeconds: G }), worker('spare')],
    }),
    operator: true,
  },
  cases: { worker: pod(graph, 'worker', 40), spare: pod(graph, 'spare', 0), frontend: pod(graph, 'frontend', 0) },
  load: { placed: [{ name: 'long', to: { service: graph, role: 'frontend' }, starts: -2, ends: 40, copies: 2 }] },
  before: [{ kind: 'request-flows', request: 'long' }],
  act: [{ at: 0, do: 'delete', cases: ['worker'] }],
  until: { gone: ['worker'], then: 1, atMost: 60 },
  decides: [
    { requirement: 'DY-K8-01', cases: ['spare', 'frontend'] },
    { requirement: 'DY-K8-04', cases: ['worker'] },
  ],
  onDoubles: {
    'DY-K8-01': 'the operator of 1.6.1 is a container image, and no wheel',
    'DY-K8-04': 'what kills is the kubelet, whatever program it is',
  },
  controls: [
    { fault: 'dynamo-operator-forgets-grace', breaks: ['DY-K8-01'] },
    { fault: 'kubelet-kills-early', breaks: ['DY-K8-04'] },
    { fault: 'kubelet-never-kills', breaks: ['DY-K8-04'] },
  ],
});
