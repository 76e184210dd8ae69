import type { Step } from '../../../src/scenario/scenario.ts';
import { alone, scenario } from './scenario.ts';

const accepted: unknown[] = [15, 3600];
const refused: unknown[] = [14, 3601, 0, -1, 30.5, '30'];
const name = (value: unknown) => `grace-${JSON.stringify(value).replace(/"/g, 'text-').replace('.', '-')}`.replace(/-+$/, '');

const edits: Step[] = [...refused, ...accepted].map((value, i) => ({
  at: i * 0.2,
  do: 'edit',
  name: `edit-${name(value)}`,
  deployment: 'chat',
  patch: [{ op: 'add', path: '/spec/roles/0/terminationGracePeriodSeconds', value }],
  expect: accepted.includes(value) ? 'accepted' : 'refused',
}));
const submits: Step[] = [...refused, ...accepted].map((value, i) => ({
  at: 2 + i * 0.2,
  do: 'submit',
  name: `create-${name(value)}`,
  role: { name: 'serve', replicas: 1 },
  grace: value,
  expect: accepted.includes(value) ? 'accepted' : 'refused',
}));

/** Writes of the grace at and around both ends of its range, on creation and on update. */
export default scenario({
  id: 'admission',
  title: 'admission takes a grace from 15 to 3600 and a refused write changes nothing',
  deploy: alone({ name: 'serve', replicas: 1 }),
  cases: {},
  act: [...edits, ...submits],
  until: { then: 1, atMost: 6 },
  decides: [
    {
      requirement: 'GS-DW-03',
      cases: [],
      given: {
        attempts: [...edits, ...submits].map((step) => ({
          action: 'name' in step ? step.name : '',
          expect: 'expect' in step ? step.expect : 'accepted',
        })),
      },
    },
  ],
  controls: [],
});
