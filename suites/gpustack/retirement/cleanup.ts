import { grace, replica, scaleDown, scenario, unrouted } from './scenario.ts';

const first = unrouted('queued', { replicas: 1, terminationGracePeriodSeconds: grace });
/** Of two replicas that run; a third one is given an image that is nowhere. */
const broken = unrouted('broken', { accelerators: 0 });

const scaleUp = (deployment: string, replicas: number, also: object[] = []) => ({
  at: 0,
  do: 'edit' as const,
  name: `scale-up-${deployment}`,
  deployment,
  patch: [{ op: 'replace', path: '/spec/roles/0/replicas', value: replicas }, ...also],
});

/**
 * A replica that finds no accelerator, and one whose container cannot be started: both are taken away again before
 * anything of them ever ran, the second one together with a replica that runs.
 */
export default scenario({
  id: 'never-admitted',
  title: 'a replica that was never admitted, or never ran, is cleaned up and not held as a running one is',
  deploy: { kind: 'gpustack', accelerators: 1, deployments: [first, broken] },
  cases: {
    queued: { deployment: 'queued', role: 'serve' },
    broken: { deployment: 'broken', role: 'serve' },
    running: replica('broken', 1),
  },
  act: [
    scaleUp('queued', 2),
    scaleUp('broken', 3, [{ op: 'add', path: '/spec/roles/0/image', value: 'quiesce/nowhere:1' }]),
    scaleDown('queued', 5),
    scaleDown('broken', 10, [{ op: 'remove', path: '/spec/roles/0/image' }]),
    { at: 48, do: 'look', deployments: ['queued', 'broken'] },
  ],
  until: { then: 1, atMost: 55 },
  decides: [
    { requirement: 'GS-RP-12', cases: ['queued'], part: 'never admitted' },
    { requirement: 'GS-RP-12', cases: ['broken'], part: 'never ran', given: { running: 'running' } },
    { requirement: 'GS-RP-10', cases: ['running'], part: 'beside one that never ran' },
  ],
  controls: [
    { fault: 'retire-cleanup-waits', breaks: ['GS-RP-12'] },
    { fault: 'retire-cleanup-takes-running', breaks: ['GS-RP-12'] },
  ],
});
