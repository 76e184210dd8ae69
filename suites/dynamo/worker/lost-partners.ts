import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const via = (service: string) => ({ service, role: 'frontend' });
/** The worker of another model serves under an endpoint of its own, as it must: an endpoint has one model. */
const other = {
  model: 'quiesce/other',
  env: { QUIESCE_ENDPOINTS: 'other', DYN_SYSTEM_USE_ENDPOINT_HEALTH_STATUS: '["other"]' },
};

/**
 * Departures in which a partner is missing, or should not notice. One frontend serves two models, and the only worker of one of
 * them leaves. A worker leaves after its frontend was killed under its stream. And a frontend leaves that never had a worker.
 */
export default scenarioOf('Signal Handling')({
  id: 'dynamo-lost-partners',
  title: 'the workers of another model are left in peace, and who has no partner any more leaves as well',
  deploy: graphs(
    { name: 'two', components: [frontend('frontend'), worker('tiny'), worker('other', other)] },
    { name: 'orphan', components: [frontend('frontend'), worker('worker')] },
    { name: 'lonely', components: [frontend('frontend')] },
  ),
  cases: {
    tiny: pod('two', 'tiny', 8),
    orphan: pod('orphan', 'worker', 0),
    door: pod('orphan', 'frontend', 0),
    lonely: pod('lonely', 'frontend', 0),
  },
  load: {
    placed: [
      { name: 'mine', to: via('two'), starts: -2, ends: 8 },
      { name: 'others', to: via('two'), starts: -2, ends: 9, model: other.model },
      { name: 'fresh', to: via('two'), starts: 5.5, tokens: 2, model: other.model },
      { name: 'orphaned', to: via('orphan'), starts: -2, ends: 20 },
    ],
  },
  before: ['mine', 'others', 'orphaned'].map((request) => ({ kind: 'request-flows', request })),
  act: [
    { at: 0, do: 'signal', cases: ['door'], signal: 'KILL' },
    { at: 0, do: 'delete', cases: ['tiny', 'lonely'] },
    { at: 1, do: 'delete', cases: ['orphan'] },
  ],
  until: { gone: ['tiny', 'orphan', 'lonely'], then: 1, atMost: 75 },
  decides: [
    {
      requirement: 'DY-K8-02',
      cases: ['tiny'],
      part: 'two models',
      given: { part: 'requests', open: ['mine', 'others'] },
    },
    { requirement: 'DY-SQ-07', cases: ['tiny'], part: 'two models', given: { rerouted: 'fresh' } },
    { requirement: 'DY-SG-01', cases: ['orphan'], part: 'worker without frontend', given: { idle: true } },
    { requirement: 'DY-SG-01', cases: ['lonely'], part: 'frontend without workers', given: { idle: true } },
  ],
  controls: [
    { fault: 'dynamo-dies-at-signal', breaks: ['DY-SG-01'] },
    { fault: 'frontend-forgets-other-models', breaks: ['DY-K8-02'] },
  ],
});
