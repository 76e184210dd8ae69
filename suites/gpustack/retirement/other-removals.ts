import { labels } from '../../../src/systems/gpustack/names.ts';
import { grace, labelPath, replica, routed, scenario } from './scenario.ts';

const role = (name: string, replicas: number) => ({ name, replicas, terminationGracePeriodSeconds: grace });

/** The other ways in which a spec takes a replica away: a surplus Pod, and a role that is dropped. */
export default scenario({
  id: 'surplus-and-dropped-role',
  title: 'a surplus replica and one of a dropped role are drained before they are deleted',
  deploy: {
    kind: 'gpustack',
    deployments: [
      { ...routed('dropped'), roles: [role('serve', 1), role('extra', 1)] },
      { ...routed('shed'), roles: [role('serve', 2)] },
    ],
  },
  cases: {
    dropped: { deployment: 'dropped', role: 'extra', ordinal: 0 },
    surplus: replica('shed', 1),
  },
  load: {
    placed: [
      { name: 'on-dropped', to: { case: 'dropped' }, starts: -4, ends: 34 },
      { name: 'on-surplus', to: { case: 'surplus' }, starts: -4, ends: 34 },
    ],
  },
  before: [
    { kind: 'stream-open', case: 'dropped', request: 'on-dropped' },
    { kind: 'stream-open', case: 'surplus', request: 'on-surplus' },
  ],
  act: [
    {
      at: 0,
      do: 'edit',
      name: 'drop-role',
      deployment: 'dropped',
      patch: [{ op: 'remove', path: '/spec/roles/1' }],
    },
    // The Pod of replica 1 claims to be one of replica 0: two Pods stand where one belongs.
    {
      at: 0,
      do: 'patch-pod',
      name: 'make-surplus',
      cases: ['surplus'],
      patch: [{ op: 'replace', path: labelPath(labels.ordinal), value: '0' }],
    },
  ],
  until: { gone: ['dropped', 'surplus'], then: 3, atMost: 100 },
  decides: [
    { requirement: 'GS-RP-03', cases: ['dropped'], given: { cause: 'dropped-role' } },
    { requirement: 'GS-RP-02', cases: ['surplus'], given: { cause: 'surplus' } },
  ],
  controls: [
    { fault: 'retire-drops-role-at-once', breaks: ['GS-RP-03'] },
    { fault: 'retire-sheds-at-once', breaks: ['GS-RP-02'] },
  ],
});
