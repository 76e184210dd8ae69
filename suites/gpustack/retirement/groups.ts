import { annotations, labels } from '../../../src/systems/gpustack/names.ts';
import { annotationPath, labelPath, replica, routed, scaleDown, scenario } from './scenario.ts';

const several = { size: 2 };
const shapes = ['no-leader', 'two-leaders', 'disagree', 'other-size'] as const;
const label = labelPath(labels.memberIndex);
const total = annotationPath(annotations.groupTotal);
const edit = (name: string, op: object, member = '') => ({
  // While the operation holds the replica for its work: before it, a rollout would replace what was changed.
  at: 8,
  do: 'patch-pod' as const,
  name: `mark-${name}${member}`,
  cases: [`${name}${member}`],
  patch: [op],
});

/** Replicas of two Pods: one whose leader answers for it, and four in which nobody can be asked. */
export default scenario({
  id: 'several-pods',
  title: 'a replica of several Pods goes whole by its leader’s answer, and is held where no leader can be named',
  deploy: { kind: 'gpustack', deployments: ['whole', ...shapes].map((name) => routed(name, several)) },
  cases: {
    whole: replica('whole', 1),
    'whole-follower': replica('whole', 1, 1),
    ...Object.fromEntries(
      shapes.flatMap((name) => [
        [name, replica(name, 1)],
        [`${name}-follower`, replica(name, 1, 1)],
      ]),
    ),
  },
  load: {
    placed: shapes.map((name) => ({ name: `on-${name}`, to: { case: name }, starts: -4, ends: 110 })),
  },
  before: shapes.map((name) => ({ kind: 'stream-open', case: name, request: `on-${name}` })),
  act: [
    edit('no-leader', { op: 'replace', path: label, value: '1' }),
    edit('two-leaders', { op: 'replace', path: label, value: '0' }, '-follower'),
    edit('disagree', { op: 'replace', path: total, value: '3' }, '-follower'),
    ...['', '-follower'].map((member) => edit('other-size', { op: 'replace', path: total, value: '3' }, member)),
    ...['whole', ...shapes].map((name) => scaleDown(name)),
    { at: 34, do: 'look', deployments: ['whole', ...shapes] },
  ],
  until: { gone: ['whole', 'whole-follower'], then: 3, atMost: 60 },
  decides: [
    { requirement: 'GS-RP-18', cases: ['whole'] },
    { requirement: 'GS-RP-19', cases: ['whole'] },
    { requirement: 'GS-LM-10', cases: ['no-leader'], part: 'no leader', given: { reason: 'noLeader' } },
    { requirement: 'GS-LM-10', cases: ['two-leaders'], part: 'two leaders', given: { reason: 'twoLeaders' } },
    { requirement: 'GS-LM-10', cases: ['disagree'], part: 'members disagree', given: { reason: 'disagree' } },
    { requirement: 'GS-LM-10', cases: ['other-size'], part: 'another size', given: { reason: 'otherSize' } },
  ],
  controls: [
    { fault: 'retire-reads-all-members', breaks: ['GS-RP-18', 'GS-LM-10'] },
    { fault: 'retire-deletes-sibling', breaks: ['GS-RP-19'] },
    { fault: 'retire-deletes-leader-only', breaks: ['GS-RP-19'] },
    { fault: 'retire-guesses-leader', breaks: ['GS-LM-10'] },
  ],
});
