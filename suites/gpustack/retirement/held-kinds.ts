import { annotations } from '../../../src/systems/gpustack/names.ts';
import { annotationPath, replica, routed, scaleDown, scenario, targets } from './scenario.ts';

const engine = ['vllm', 'serve', 'quiesce/tiny', '--host', '0.0.0.0', '--port', '8000'];
const stuck = ['working', 'taken-over', 'recast', 'unlisted'];

/** What a replica is, or does, holds it: one deployment a cause. */
export default scenario({
  id: 'held-for-what-it-is',
  title: 'work, a take-over command and an unlisted engine hold a replica, and the reason says which',
  deploy: {
    kind: 'gpustack',
    deployments: [
      routed('working'),
      routed('taken-over', { command: engine }),
      routed('recast', { command: engine }),
      // An engine that the operator knows no gauges of; its Pods are made to announce their metrics.
      routed('unlisted', { command: ['llama-server', ...engine.slice(1)] }),
    ],
  },
  cases: { ...targets(stuck), 'unlisted-too': replica('unlisted', 0) },
  load: { placed: [{ name: 'long', to: { case: 'working' }, starts: -3, ends: 110 }] },
  before: [{ kind: 'stream-open', case: 'working', request: 'long' }],
  act: [
    {
      at: -1,
      do: 'patch-pod',
      cases: ['unlisted', 'unlisted-too'],
      patch: [{ op: 'add', path: annotationPath(annotations.scrape), value: 'true' }],
    },
    ...['working', 'taken-over', 'unlisted'].map((name) => scaleDown(name)),
    // The role becomes an operator-built one in the write that takes the replica away.
    scaleDown('recast', 0, [{ op: 'remove', path: '/spec/roles/0/command' }]),
    { at: 36, do: 'look', deployments: stuck },
  ],
  until: { then: 1, atMost: 40 },
  decides: [
    { requirement: 'GS-RP-21', cases: ['working'] },
    { requirement: 'GS-RP-28', cases: ['taken-over'] },
    { requirement: 'GS-RP-06', cases: ['recast'], part: 'take-over', given: { reason: 'takeOver' } },
    { requirement: 'GS-RP-29', cases: ['unlisted'] },
    {
      requirement: 'GS-RP-20',
      cases: ['working', 'taken-over', 'unlisted'],
      given: { reasons: { working: 'working', 'taken-over': 'takeOver', unlisted: 'unlisted' } },
    },
  ],
  controls: [
    { fault: 'retire-busy-is-idle', breaks: ['GS-RP-21', 'GS-RP-20'] },
    { fault: 'retire-invents-annotation', breaks: ['GS-RP-28', 'GS-RP-06', 'GS-RP-20'] },
    { fault: 'retire-unlisted-is-vllm', breaks: ['GS-RP-29', 'GS-RP-20'] },
    // One reason for all is the reason of none.
    { fault: 'retire-constant-reason', breaks: ['GS-RP-20', 'GS-RP-21', 'GS-RP-28', 'GS-RP-06', 'GS-RP-29'] },
  ],
});
