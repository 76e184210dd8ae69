import { replica, routed, scaleDown, scenario } from './scenario.ts';

const steady = {
  name: 'arrivals',
  to: { router: 'chat' },
  rate: 1,
  arrivals: 'constant' as const,
  starts: -12,
  ends: 30,
  tokens: 1,
};

/** The replica that is to leave works for longer than its whole drain window: only the protocol can have waited. */
export const busyTarget = scenario({
  id: 'scale-down-busy',
  title: 'a replica that a scale-down removes is withdrawn and drained before it is deleted',
  deploy: { kind: 'gpustack', deployments: [routed('chat')] },
  cases: { target: replica('chat', 1), survivor: replica('chat', 0) },
  load: { placed: [{ name: 'long', to: { case: 'target' }, starts: -4, ends: 22 }], steady: [steady] },
  before: [{ kind: 'stream-open', case: 'target', request: 'long' }],
  act: [scaleDown('chat'), { at: 42, do: 'look', deployments: ['chat'] }],
  until: { gone: ['target'], then: 4, atMost: 90 },
  decides: [
    { requirement: 'GS-RP-01', cases: ['target'] },
    { requirement: 'GS-RP-04', cases: ['target'] },
    { requirement: 'GS-RP-13', cases: ['target'] },
    { requirement: 'GS-RP-14', cases: ['target'] },
    { requirement: 'GS-RP-31', cases: ['target'] },
    { requirement: 'GS-RP-34', cases: ['target'] },
    { requirement: 'GS-RP-32', cases: ['target'], part: 'idle survivor' },
  ],
  controls: [
    { fault: 'retire-deletes-at-once', breaks: ['GS-RP-01'] },
    { fault: 'retire-uncounts-target', breaks: ['GS-RP-04'] },
    { fault: 'retire-deletes-with-no-grace', breaks: ['GS-RP-13'] },
    { fault: 'retire-reads-outside', breaks: ['GS-RP-14'] },
    { fault: 'retire-held-for-good', breaks: ['GS-RP-34'] },
    { fault: 'router-keeps-withdrawn', breaks: ['GS-RP-31'] },
  ],
});

/** An idle replica beside a busy survivor goes after two idle reads of its own. */
export const idleTarget = scenario({
  id: 'scale-down-idle',
  title: 'an idle replica goes after two idle reads of its own, whatever the survivor does',
  deploy: { kind: 'gpustack', deployments: [routed('chat')] },
  cases: { target: replica('chat', 1), survivor: replica('chat', 0) },
  load: { placed: [{ name: 'long', to: { case: 'survivor' }, starts: -4, ends: 25 }] },
  before: [{ kind: 'stream-open', case: 'survivor', request: 'long' }],
  act: [scaleDown('chat')],
  until: { gone: ['target'], then: 4, atMost: 60 },
  decides: [
    { requirement: 'GS-RP-16', cases: ['target'] },
    { requirement: 'GS-RP-32', cases: ['target'], part: 'busy survivor' },
  ],
  controls: [{ fault: 'retire-reads-survivor', breaks: ['GS-RP-32'] }],
});
