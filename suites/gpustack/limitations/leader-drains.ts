import { decide, replica, scenario } from './scenario.ts';

const names = ['rolled', 'deleted'];
const leaders = names.map((name) => `${name}-leader`);
const followers = names.map((name) => `${name}-follower`);

/** Two replicas of two Pods each: one leaves by a rollout, of the other the leader is deleted by hand. */
export default scenario({
  id: 'leader-drains',
  title: 'a replica of several Pods drains through its leader, its followers leave after 5 s, and every member goes',
  deploy: {
    kind: 'gpustack',
    deployments: names.map((name) => ({ name, roles: [{ name: 'serve', replicas: 1, size: 2 }] })),
  },
  cases: Object.fromEntries(
    names.flatMap((name) => [
      [`${name}-leader`, replica(name, 'serve', 0, { lastWorkEnds: 12.75 })],
      [`${name}-follower`, replica(name, 'serve', 0, { member: 1 })],
    ]),
  ),
  load: { placed: leaders.map((name) => ({ name, to: { case: name }, starts: -4, ends: 12.75 })) },
  before: leaders.map((name) => ({ kind: 'stream-open' as const, case: name })),
  act: [
    {
      at: 0,
      do: 'edit',
      name: 'roll',
      deployment: 'rolled',
      patch: [{ op: 'add', path: '/spec/roles/0/env', value: [{ name: 'EDITED', value: 'yes' }] }],
    },
    { at: 0, do: 'delete', cases: ['deleted-leader'] },
    // Whoever is left behind then is there for good: long after its leader is gone.
    { at: 27, do: 'look', deployments: ['deleted'] },
  ],
  until: { gone: [...leaders, ...followers], then: 1, atMost: 40 },
  decides: [...decide(['GS-LM-09'], leaders), ...decide(['GS-LM-16'], followers)],
  controls: [
    { fault: 'group-left-without-member', breaks: ['GS-LM-09'] },
    { fault: 'hook-ignores-running', breaks: ['GS-LM-09'] },
    { fault: 'rollout-deletes-leader-alone', breaks: ['GS-LM-16'] },
    { fault: 'follower-waits-for-grace', breaks: ['GS-LM-16'] },
  ],
});
