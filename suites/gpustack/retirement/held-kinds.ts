import { annotations } from '../../../src/systems/gpustack/names.ts';
import { annotationPath, replica, routed, scaleDown, scenario, targets } from './scenario.ts';

const engine = ['vllm', 'serve', 'quiesce/tiny', '--host', '0.0.0.0', '--port', '8000'];
const stuck = ['working', 'taken-over', 'recast', 'unlisted'];

/** What a replica is, or does, holds it: one deployment a cause, and another one whose replica goes meanwhile. */
export default scenario({
  id: 'held-for-what-it-is',
  title: 'work, a take-over command and an unlisted engine hold a replica, and another deployment goes on',
  deploy: {
    kind: 'gpustack',
    deployments: [
      routed('working'),
      routed('taken-over', { command: engine }),
      routed('recast', { command: engine }),
      // An engine that the operator knows no gauges of; its Pods are made to announce their metrics.
      routed('unlisted', { command: ['llama-server', ...engine.slice(1)] }),
      routed('free'),
    ],
  },
  cases: { ...targets([...stuck, 'free']), 'unlisted-too': replica('unlisted', 0) },
  load: { placed: [{ name: 'long', to: { case: 'working' }, starts: -3, ends: 50 }] },
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
    scaleDown('free', 20),
    { at: 36, do: 'look', deployments: stuck },
  ],
  until: { gone: ['free'], then: 2, atMost: 60 },
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
    { requirement: 'GS-RP-25', cases: ['taken-over', 'free'] },
  ],
  controls: [
    { fault: 'retire-busy-is-idle', breaks: ['GS-RP-21'] },
    { fault: 'retire-invents-annotation', breaks: ['GS-RP-28', 'GS-RP-06'] },
    { fault: 'retire-reads-spec', breaks: ['GS-RP-06'] },
    { fault: 'retire-unlisted-is-vllm', breaks: ['GS-RP-29'] },
    { fault: 'retire-constant-reason', breaks: ['GS-RP-20'] },
    { fault: 'retire-global-lock', breaks: ['GS-RP-25'] },
  ],
});
