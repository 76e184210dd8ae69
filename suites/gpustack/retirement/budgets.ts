import type { Step } from '../../../src/scenario/scenario.ts';
import { grace, routed, scaleDown, scenario, targets } from './scenario.ts';

const names = ['outlasts', 'crashes', 'once'];
const crash = (at: number, ...cases: string[]): Step => ({ at, do: 'control-engine', cases, control: { exit: 1 } });

/** With a role beside the one that crashes, of which a replica is to go once the crashing one is aborted. */
const crashing = routed('crashes');
const looping = {
  ...crashing,
  roles: [...crashing.roles, { name: 'extra', replicas: 2, terminationGracePeriodSeconds: grace }],
};

/** The drain budget of 240 s, three times side by side: work that outlasts it, and containers that restart. */
export default scenario({
  id: 'held-to-the-budget',
  title: 'a replica that stays busy, crashes, or restarted once is held to the end of its budget and then retained',
  deploy: { kind: 'gpustack', deployments: [routed('outlasts'), looping, routed('once')] },
  cases: targets(names),
  load: {
    // Idle ones would leave before they can crash.
    placed: names.map((name) => ({ name: `on-${name}`, to: { case: name }, starts: -3, ends: 290 })),
    tokenSeconds: 0.5,
  },
  before: names.map((name) => ({ kind: 'stream-open', case: name, request: `on-${name}` })),
  act: [
    ...names.map((name) => scaleDown(name)),
    crash(12, 'crashes', 'once'),
    crash(40, 'crashes'),
    crash(90, 'crashes'),
    {
      at: 260,
      do: 'edit',
      name: 'second',
      deployment: 'crashes',
      patch: [{ op: 'replace', path: '/spec/roles/1/replicas', value: 1 }],
    },
    { at: 285, do: 'look', deployments: names },
  ],
  until: { then: 2, atMost: 288 },
  decides: [
    { requirement: 'GS-RP-36', cases: ['outlasts'] },
    { requirement: 'GS-RP-24', cases: ['crashes'] },
    { requirement: 'GS-RP-35', cases: ['once'] },
    { requirement: 'GS-RP-25', cases: ['crashes'], part: 'after a crash loop', given: { edit: 'second' } },
  ],
  controls: [
    { fault: 'retire-never-aborts', breaks: ['GS-RP-24', 'GS-RP-36'] },
    { fault: 'retire-drain-budget-halved', breaks: ['GS-RP-24', 'GS-RP-36'] },
    { fault: 'retire-forgives-restart', breaks: ['GS-RP-24', 'GS-RP-35'] },
    { fault: 'crash-loop-blocks-removals', breaks: ['GS-RP-25'] },
  ],
});
