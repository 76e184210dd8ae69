import { alone, leaving, pod, scenario } from './scenario.ts';

/**
 * 30 is written on a role that set none (nothing turns over), then a harmless edit shows that this role can turn over at
 * all, and the grace of another role is changed while it works: it turns over, leaves with the old grace, and no other
 * role moves.
 */
export default scenario({
  id: 'grace-edit',
  title: 'a changed grace turns the role over, 30 written on a role that set none does not',
  deploy: alone(
    { name: 'unset', replicas: 1 },
    { name: 'edited', replicas: 1, terminationGracePeriodSeconds: 15 },
    { name: 'other', replicas: 1 },
  ),
  cases: {
    edited: leaving('edited', null),
    unset: leaving('unset'),
    busy: pod('edited', 0, null),
    other: pod('other', 0),
  },
  load: { placed: [{ name: 'outlasts', to: { case: 'busy' }, starts: -3, ends: 40 }] },
  before: [{ kind: 'stream-open', case: 'busy' }],
  act: [
    {
      at: 0,
      do: 'edit',
      name: 'write-30',
      deployment: 'chat',
      patch: [{ op: 'add', path: '/spec/roles/0/terminationGracePeriodSeconds', value: 30 }],
    },
    {
      at: 5,
      do: 'edit',
      name: 'harmless',
      deployment: 'chat',
      patch: [{ op: 'add', path: '/spec/roles/0/env', value: [{ name: 'EDITED', value: 'yes' }] }],
    },
    {
      at: 7,
      do: 'edit',
      name: 'change-grace',
      deployment: 'chat',
      patch: [{ op: 'replace', path: '/spec/roles/1/terminationGracePeriodSeconds', value: 25 }],
    },
  ],
  until: { turnedOver: ['edited', 'unset'], then: 3, atMost: 60 },
  decides: [
    { requirement: 'GS-DW-24', cases: ['edited'], given: { edit: 'change-grace', was: 15, to: 25 } },
    { requirement: 'GS-DW-25', cases: ['unset'], given: { edit: 'write-30', next: 'harmless' } },
    { requirement: 'GS-DW-02', cases: ['unset'], given: { asked: { unset: null } } },
  ],
  controls: [
    { fault: 'same-value-turns-over', breaks: ['GS-DW-25'] },
    { fault: 'grace-edit-all-roles', breaks: ['GS-DW-24'] },
    { fault: 'grace-edit-new-grace', breaks: ['GS-DW-24'] },
    { fault: 'grace-edit-ignored', breaks: ['GS-DW-24'] },
    { fault: 'unset-grace-is-15', breaks: ['GS-DW-02', 'GS-DW-25'] },
  ],
});
