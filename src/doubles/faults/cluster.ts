import { ACCELERATOR_RELEASED_AT_DELETE, REFUSED_WRITE_STORED, type kubeletFaults } from '../../embedded/faults.ts';
import type { Fault } from './fault.ts';

const GRACE = '/properties/spec/properties/roles/items/properties/terminationGracePeriodSeconds' as const;

const range = (limits: { minimum?: number; maximum?: number }): Fault['schemaPatch'] => ({
  'modeldeployments.worker.gpustack.ai': Object.entries(limits).map(([limit, value]) => ({
    op: 'replace',
    path: `${GRACE}/${limit}`,
    value,
  })),
});

const kubelet: Record<(typeof kubeletFaults)[keyof typeof kubeletFaults], Omit<Fault, 'double' | 'name'>> = {
  'kubelet-sigterm-first': {
    does: 'sends SIGTERM at the delete, while the hook runs',
    breaks: [
      'GS-DW-01',
      'GS-DW-05',
      'GS-DW-06',
      'GS-DW-07',
      'GS-DW-11',
      'GS-DW-12',
      'GS-DW-20',
      'GS-DW-26',
      'GS-DW-27',
      'GS-DW-32',
      'GS-LM-01',
      'GS-LM-08',
    ],
  },
  'kubelet-kills-early': {
    does: 'kills at G - 8',
    breaks: ['GS-DW-08', 'GS-DW-09', 'GS-DW-12', 'GS-DW-27', 'GS-DW-32', 'GS-LM-01', 'DY-K8-04'],
  },
  'kubelet-never-kills': {
    does: 'kills at G + 10 only',
    breaks: ['GS-DW-09', 'GS-DW-14', 'GS-DW-31', 'DY-K8-04'],
    seenInField: 'kubernetes/kubernetes#117798: the full grace was given again after the hook',
  },
  'kubelet-late-hook': {
    does: 'starts the hook at 4 s',
    breaks: ['GS-DW-06', 'GS-DW-07', 'GS-DW-20', 'GS-DW-29', 'GS-LM-08'],
  },
  'kubelet-signal-late': {
    does: 'sends SIGTERM 4 s after the hook returned',
    breaks: ['GS-DW-06', 'GS-DW-07', 'GS-DW-08', 'GS-DW-20', 'GS-DW-26', 'GS-LM-01', 'GS-LM-08'],
  },
};

export const clusterFaults: readonly Fault[] = [
  {
    name: 'admission-lowest-off-by-one',
    double: 'api-server',
    does: 'accepts a grace of 14',
    breaks: ['GS-DW-03'],
    schemaPatch: range({ minimum: 14 }) ?? {},
  },
  {
    name: 'admission-highest-off-by-one',
    double: 'api-server',
    does: 'accepts a grace of 3601',
    breaks: ['GS-DW-03'],
    schemaPatch: range({ maximum: 3601 }) ?? {},
  },
  {
    name: 'admission-range-narrow',
    double: 'api-server',
    does: 'refuses 15 and 3600, both ends of the range',
    breaks: ['GS-DW-03'],
    schemaPatch: range({ minimum: 16, maximum: 3599 }) ?? {},
  },
  {
    name: REFUSED_WRITE_STORED,
    double: 'api-server',
    does: 'refuses an update and stores it all the same',
    breaks: ['GS-DW-03'],
  },
  ...Object.entries(kubelet).map(([name, fault]): Fault => ({ name, double: 'kubelet', ...fault })),
  {
    name: ACCELERATOR_RELEASED_AT_DELETE,
    double: 'scheduler',
    does: 'counts the accelerators of a leaving Pod as free',
    breaks: ['GS-DW-14', 'GS-DW-31'],
  },
];
