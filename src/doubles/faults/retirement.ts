import type { RetirementFault } from '../gpustack-operator/faults.ts';
import { difference } from './as-implemented.ts';
import type { Fault } from './fault.ts';

const source = (what: string) => `GPUStack operator source: ${what}`;

// Every name that the operator implements must stand here, and no other: the type says so.
const faults: Record<RetirementFault, Omit<Fault, 'double' | 'name'>> = {
  'retire-deletes-at-once': {
    does: 'deletes a replica beyond the spec at once, without the protocol',
    breaks: ['GS-RP-01', 'GS-RP-04', 'GS-RP-10', 'GS-RP-11', 'GS-RP-16', 'GS-RP-21', 'GS-RP-31'],
    seenInField: 'every operator release before the protocol',
  },
  'retire-sheds-at-once': {
    does: 'deletes a surplus member at once',
    breaks: ['GS-RP-02', 'GS-RP-10'],
    seenInField: 'GPUStack operator end-to-end case 93: a surplus shed is gone within its minute, without a router',
  },
  'retire-drops-role-at-once': {
    does: 'deletes the replicas of a dropped role at once',
    breaks: ['GS-RP-03', 'GS-RP-27'],
  },
  'rollout-through-retirement': { does: 'sends the replicas of a rollout through the protocol', breaks: ['GS-RP-05'] },
  'retire-uncounts-target': { does: 'counts a target no more from its admission on', breaks: ['GS-RP-04'] },
  'retire-cleanup-waits': {
    does: 'sends a group that never ran through the protocol, which holds it',
    breaks: ['GS-RP-12'],
  },
  'retire-cleanup-takes-running': {
    does: 'deletes running replicas beyond the spec along with a group that never ran',
    breaks: ['GS-RP-01', 'GS-RP-10', 'GS-RP-12'],
  },
  'retire-global-lock': {
    does: 'starts no retirement while another deployment of the namespace has one, ended ones included',
    breaks: ['GS-RP-25'],
  },
  'retire-skips-withdrawal': {
    does: 'leaves the target in selection and asks no router',
    breaks: ['GS-RP-07', 'GS-RP-10', 'GS-RP-31'],
  },
  'retire-ignores-recent-dispatch': {
    does: 'takes no notice of a recent dispatch to the target',
    breaks: ['GS-RP-07'],
    seenInField: source('revisions before 41436929 read no such record'),
  },
  'retire-any-dispatch-holds': { does: 'holds the target for a recent dispatch to anybody', breaks: ['GS-RP-09'] },
  'serving-counts-recent': {
    does: 'counts a replica with a recent dispatch as served',
    breaks: ['GS-RP-08', 'GS-RP-09'],
  },
  'retire-no-router-deletes': {
    does: 'deletes the target when the withdrawal budget of a deployment without a router is exhausted',
    breaks: ['GS-RP-10', 'GS-RP-11'],
  },
  'retire-no-router-holds-on': {
    does: 'never aborts where there is no router',
    breaks: ['GS-RP-10'],
  },
  'retire-reads-spec': {
    does: 'takes size, command and kind of a leaving replica from the spec instead of its Pods',
    breaks: ['GS-RP-06', 'GS-RP-26', 'GS-RP-27', 'GS-RP-28'],
    seenInField: source('classifying by the desired size, before its members were read'),
  },
  'retire-reads-outside': {
    does: 'reads the target over the network instead of from inside',
    breaks: ['GS-RP-14'],
  },
  'retire-reads-service': {
    does: "reads through the role's Service",
    breaks: ['GS-RP-14', 'GS-RP-16', 'GS-RP-21', 'GS-RP-32'],
  },
  'retire-reads-survivor': {
    does: "reads another replica of the role in the target's place",
    breaks: ['GS-RP-14', 'GS-RP-16', 'GS-RP-21', 'GS-RP-32'],
  },
  'retire-reads-all-members': {
    does: 'reads every member of a replica of several Pods',
    breaks: ['GS-RP-18', 'GS-LM-09', 'GS-LM-10'],
    seenInField: source('revision 575373f read every member, so that no replica of several Pods could retire'),
  },
  'retire-short-gauge-list': {
    does: "leaves out the last gauge of the hook's list",
    breaks: ['GS-RP-15', 'GS-RP-21', 'GS-RP-22', 'GS-RP-30'],
  },
  'retire-one-read': { does: 'deletes after one idle read', breaks: ['GS-RP-16', 'GS-RP-17'] },
  'retire-ignores-second-read': { does: 'reads twice and believes the first', breaks: ['GS-RP-17'] },
  'retire-read-unbounded': {
    does: 'waits ten times as long for a read and takes an answer of any size',
    breaks: ['GS-RP-23', 'GS-RP-33'],
  },
  'retire-busy-is-idle': {
    does: 'takes a member with work in flight for an idle one',
    breaks: ['GS-RP-01', 'GS-RP-15', 'GS-RP-16', 'GS-RP-17', 'GS-RP-21', 'GS-RP-32'],
  },
  'retire-absent-is-zero': {
    does: 'takes an absent gauge for 0',
    breaks: ['GS-RP-16', 'GS-RP-22', 'GS-RP-23'],
    seenInField: source('the hook still does so'),
  },
  'retire-failed-read-is-idle': {
    does: 'takes a read that failed, or told nothing that can be read, for an idle one',
    breaks: ['GS-RP-16', 'GS-RP-22', 'GS-RP-23', 'GS-RP-33'],
  },
  'retire-forgives-restart': {
    does: 'reads a restarted container like any other',
    breaks: ['GS-RP-24', 'GS-RP-35'],
  },
  'retire-invents-annotation': {
    does: 'reads a take-over replica on port 8000',
    breaks: ['GS-RP-06', 'GS-RP-28'],
  },
  'retire-guesses-leader': {
    does: 'reads the first member where no leader can be named',
    breaks: ['GS-LM-10'],
  },
  'retire-unlisted-is-vllm': {
    does: "reads an engine without a gauge list by vLLM's",
    breaks: ['GS-RP-29'],
  },
  'retire-split-unrecognised': {
    does: 'lets a prefill or decode replica go like any other',
    breaks: ['GS-RP-06', 'GS-RP-26', 'GS-RP-27'],
  },
  'retire-constant-reason': {
    does: 'says the same reason whatever holds the target',
    breaks: ['GS-RP-20', 'GS-LM-10'],
  },
  'retire-held-for-good': {
    does: 'never lets a target go that was once held for work',
    breaks: ['GS-RP-34'],
  },
  'retire-never-aborts': {
    does: 'holds a target without end',
    breaks: ['GS-RP-10', 'GS-RP-24', 'GS-RP-36'],
  },
  'retire-drain-budget-halved': {
    does: 'gives up a drain after 120 s',
    breaks: ['GS-RP-34', 'GS-RP-36'],
  },
  'retire-deletes-leader-only': {
    does: 'deletes the first member of a replica of several Pods alone',
    breaks: ['GS-RP-19', 'GS-LM-09'],
  },
  'retire-deletes-sibling': {
    does: 'deletes another replica of the role too',
    breaks: ['GS-RP-19'],
  },
  'retire-deletes-with-no-grace': {
    does: 'deletes the target with a grace of 1 s',
    breaks: ['GS-RP-13'],
  },
  'rollout-deletes-leader-alone': {
    does: 'deletes the leader of a replica of several Pods first, and the others when it is gone',
    breaks: ['GS-LM-16'],
  },
  'group-left-without-member': {
    does: 'leaves the other members of a replica alone when one of them leaves',
    breaks: ['GS-LM-09'],
  },
  'follower-waits-for-grace': {
    does: 'keeps the followers of a replica for the whole grace',
    breaks: ['GS-LM-16'],
  },
  'split-without-hook': {
    does: 'renders no hook on a prefill or decode role',
    breaks: ['GS-LM-11'],
  },
  'proxy-gets-hook': {
    does: 'renders a hook on the routing proxy',
    breaks: ['GS-LM-13'],
  },
  'proxy-is-classic': {
    does: 'renders the routing proxy as a classic container from Kubernetes 1.29 on too',
    breaks: ['GS-DW-12', 'GS-LM-12'],
  },
  'vllm-split-by-flags-alone': difference('vllm-split-by-flags-alone'),
  'aborted-blocks-removals': difference('aborted-blocks-removals'),
  'crash-loop-blocks-removals': difference('crash-loop-blocks-removals'),
  'aborted-stays-ineligible': difference('aborted-stays-ineligible'),
};

export const retirementFaults: readonly Fault[] = Object.entries(faults).map(([name, fault]) => ({
  name,
  double: 'gpustack-operator',
  ...fault,
}));
