import { replica, routed, scaleDown, scenario, unrouted } from './scenario.ts';

const single = (name: string) => unrouted(name, { replicas: 1 });

/** Behind a router, so that it would also go if it were taken into the protocol. */
const rolled = routed('rolled', { replicas: 1 });

/** What the spec did not ask for: each leaves without an operation, while a scale-down beside them has one. */
export default scenario({
  id: 'not-through-protocol',
  title: 'a rollout, an eviction and a delete do not go through the protocol',
  deploy: { kind: 'gpustack', deployments: [routed('asked'), single('deleted'), single('evicted'), rolled] },
  cases: {
    asked: replica('asked', 1),
    deleted: replica('deleted', 0),
    evicted: replica('evicted', 0),
    rolled: { deployment: 'rolled', role: 'serve' },
  },
  act: [
    scaleDown('asked'),
    { at: 0, do: 'delete', cases: ['deleted'] },
    { at: 0, do: 'evict', cases: ['evicted'] },
    {
      at: 0,
      do: 'edit',
      name: 'roll',
      deployment: 'rolled',
      patch: [{ op: 'add', path: '/spec/roles/0/env', value: [{ name: 'EDITED', value: 'yes' }] }],
    },
  ],
  until: { gone: ['asked', 'deleted', 'evicted', 'rolled'], then: 3, atMost: 60 },
  decides: [
    { requirement: 'GS-RP-05', cases: ['deleted'], part: 'delete' },
    { requirement: 'GS-RP-05', cases: ['evicted'], part: 'eviction' },
    { requirement: 'GS-RP-05', cases: ['rolled'], part: 'rollout', given: { edit: 'roll' } },
  ],
  controls: [{ fault: 'rollout-through-retirement', breaks: ['GS-RP-05'] }],
});
