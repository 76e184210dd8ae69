import type { Step } from '../../../src/scenario/scenario.ts';
import { alone, scenario } from './scenario.ts';

interface Attempt {
  name: string;
  value: unknown;
  expect: 'accepted' | 'refused';
}

const attempts = (verb: string): Attempt[] =>
  [
    ...[14, 3601, 0, -1, 30.5, '30'].map((value) => ({ value, expect: 'refused' as const })),
    ...[15, 3600].map((value) => ({ value, expect: 'accepted' as const })),
  ].map((one, i) => ({ ...one, name: `${verb}-${i + 1}` }));

const edits = attempts('edit');
const creations = attempts('create');

/** The runner reads the object before (an edit) and after each of these writes, under these ids. */
const given = ({ name: action, value, expect }: Attempt, isEdit: boolean) => ({
  action,
  value,
  expect,
  after: `${action}-after`,
  ...(isEdit ? { before: `${action}-before` } : {}),
});

const act: Step[] = [
  ...edits.map(({ name, value, expect }, i) => ({
    at: i * 0.5,
    do: 'edit' as const,
    name,
    expect,
    deployment: 'chat',
    patch: [{ op: 'add', path: '/spec/roles/0/terminationGracePeriodSeconds', value }],
  })),
  ...creations.map(({ name, value, expect }, i) => ({
    at: 5 + i * 0.5,
    do: 'submit' as const,
    name,
    expect,
    role: { name: 'serve', replicas: 1 },
    grace: value,
  })),
];

/** Writes of the grace at and around both ends of its range, on creation and on update. */
export default scenario({
  id: 'admission',
  title: 'admission takes a grace from 15 to 3600 and a refused write changes nothing',
  deploy: alone({ name: 'serve', replicas: 1 }),
  cases: {},
  act,
  until: { then: 1, atMost: 12 },
  decides: [
    {
      requirement: 'GS-DW-03',
      cases: [],
      given: { attempts: [...edits.map((a) => given(a, true)), ...creations.map((a) => given(a, false))] },
    },
  ],
  controls: [
    { fault: 'admission-lowest-off-by-one', breaks: ['GS-DW-03'] },
    { fault: 'admission-highest-off-by-one', breaks: ['GS-DW-03'] },
    { fault: 'admission-range-narrow', breaks: ['GS-DW-03'] },
    { fault: 'refused-write-stored', breaks: ['GS-DW-03'] },
  ],
});
