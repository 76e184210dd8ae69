import { alone, leaving, pod, scenario } from './scenario.ts';

const replicas = ['one', 'two', 'three'];

/** Three busy replicas of one role, each of which drains much longer than the operator needs to look again. */
export default scenario({
  id: 'rollout-one-at-a-time',
  title: 'a rollout deletes the next replica of a role only when the former is gone',
  deploy: alone({ name: 'serve', replicas: 3, terminationGracePeriodSeconds: 15 }, { name: 'other', replicas: 1 }),
  cases: {
    rolled: leaving('serve', null),
    ...Object.fromEntries(replicas.map((name, index) => [name, pod('serve', index, null)])),
  },
  load: { placed: replicas.map((name) => ({ name: `busy-${name}`, to: { case: name }, starts: -3, ends: 130 })) },
  before: replicas.map((name) => ({ kind: 'stream-open' as const, case: name })),
  act: [
    {
      at: 0,
      do: 'edit',
      name: 'roll',
      deployment: 'chat',
      patch: [{ op: 'add', path: '/spec/roles/0/env', value: [{ name: 'EDITED', value: 'yes' }] }],
    },
  ],
  until: { turnedOver: ['rolled'], atMost: 140 },
  decides: [{ requirement: 'GS-DW-15', cases: ['rolled'], given: { edit: 'roll', atLeast: 3 } }],
  controls: [
    { fault: 'rollout-two-at-once', breaks: ['GS-DW-15'] },
    { fault: 'rollout-early-next', breaks: ['GS-DW-15'] },
  ],
});
