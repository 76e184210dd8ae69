import type { OperatorFault } from '../gpustack-operator/faults.ts';
import type { Fault } from './fault.ts';

// Every name that the operator implements must stand here, and no other: the type says so.
const faults: Record<OperatorFault, Omit<Fault, 'double' | 'name'>> = {
  'hook-missing': {
    does: 'renders no preStop hook',
    breaks: [
      'GS-DW-01',
      'GS-DW-05',
      'GS-DW-06',
      'GS-DW-07',
      'GS-DW-11',
      'GS-DW-12',
      'GS-DW-18',
      'GS-DW-19',
      'GS-DW-20',
      'GS-DW-21',
      'GS-DW-22',
      'GS-DW-27',
      'GS-DW-29',
      'GS-DW-30',
      'GS-DW-32',
      'GS-LM-01',
      'GS-LM-08',
      'GS-LM-12',
    ],
    seenInField: 'every operator release before the drain window',
  },
  'grace-not-written': {
    does: "leaves terminationGracePeriodSeconds out of the Pod, which then gets Kubernetes' 30",
    breaks: ['GS-DW-02', 'GS-DW-08', 'GS-DW-09', 'GS-DW-11', 'GS-DW-24', 'GS-DW-32', 'GS-LM-01'],
    seenInField: 'every operator release before the drain window',
  },
  'unset-grace-is-15': {
    does: 'writes 15 for a role that sets no grace',
    breaks: ['GS-DW-02', 'GS-DW-25', 'GS-DW-27', 'GS-LM-01'],
  },
  'rollout-deletes-with-no-grace': {
    does: 'deletes the Pods of a rollout with a grace of 1 s; other deletes are as they should be',
    breaks: ['GS-DW-01', 'GS-DW-05', 'GS-DW-12', 'GS-DW-24', 'GS-DW-27'],
  },
  'rollout-two-at-once': { does: 'deletes two Pods of a role at once in a rollout', breaks: ['GS-DW-15'] },
  'rollout-early-next': {
    does: 'deletes the next Pod of a role 3 s after the former, though that one still drains',
    breaks: ['GS-DW-15'],
    seenInField: 'GPUStack operator specs: the next delete waits for admission, not for the end of the former',
  },
  'grace-edit-new-grace': {
    does: 'deletes the old Pods of a grace edit with the new grace',
    breaks: ['GS-DW-24'],
  },
  'grace-edit-all-roles': {
    does: 'turns every role over when the grace of one is edited',
    breaks: ['GS-DW-24'],
  },
  'grace-edit-ignored': { does: 'turns nothing over when a grace is edited', breaks: ['GS-DW-24'] },
  'same-value-turns-over': {
    does: 'renders another Pod where the grace is set, though to the value that an unset one has',
    breaks: ['GS-DW-25'],
  },
  'upgrade-turns-twice': {
    does: 'turns every replica over a second time once the turnover after an upgrade is done',
    breaks: ['GS-DW-23'],
  },
  'takeover-gets-hook': { does: 'renders the hook on a take-over role', breaks: ['GS-LM-07'] },
  'takeover-drops-grace': { does: "leaves out a take-over role's grace", breaks: ['GS-LM-14'] },
  'takeover-default-grace-written': {
    does: 'writes 45 on a take-over role that sets no grace',
    breaks: ['GS-LM-15'],
  },
  'moved-port-followed': {
    does: "points the hook at the port of the role's own --port",
    breaks: ['GS-LM-08'],
    seenInField: 'GPUStack operator source, comment of a later revision: such a role is followed',
  },
  'quota-released-at-delete': {
    does: "releases a replica's quota at its delete instead of at its end",
    breaks: ['GS-DW-14', 'GS-DW-31'],
    seenInField: 'GPUStack operator end-to-end case 93: a hand-deleted Pod against its Workload',
  },
};

export const operatorFaults: readonly Fault[] = Object.entries(faults).map(([name, fault]) => ({
  name,
  double: 'gpustack-operator',
  ...fault,
}));
