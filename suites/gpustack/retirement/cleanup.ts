import { grace, scaleDown, scenario, unrouted } from './scenario.ts';

const first = unrouted('queued', { replicas: 1, terminationGracePeriodSeconds: grace });

/** A second replica finds no accelerator: it is taken away again before anything of it ever ran. */
export default scenario({
  id: 'never-admitted',
  title: 'a replica that was never admitted is cleaned up, and not held as a running one would be',
  deploy: { kind: 'gpustack', accelerators: 1, deployments: [first] },
  cases: { queued: { deployment: 'queued', role: 'serve' } },
  act: [
    {
      at: 0,
      do: 'edit',
      name: 'scale-up',
      deployment: 'queued',
      patch: [{ op: 'replace', path: '/spec/roles/0/replicas', value: 2 }],
    },
    scaleDown('queued', 5),
    { at: 40, do: 'look', deployments: ['queued'] },
  ],
  until: { then: 1, atMost: 45 },
  decides: [{ requirement: 'GS-RP-12', cases: ['queued'], part: 'never admitted' }],
  controls: [{ fault: 'retire-cleanup-waits', breaks: ['GS-RP-12'] }],
});
