import { replica, routed, scaleDown, scenario } from './scenario.ts';

/** What the protocol's own reads find: one gauge alone, and work that begins between the first read and the second. */
export default scenario({
  id: 'member-reads',
  title: 'the protocol sums what the hook sums, and work that its second read finds holds the replica',
  deploy: { kind: 'gpustack', deployments: [routed('queues'), routed('second')] },
  cases: { queues: replica('queues', 1), second: replica('second', 1) },
  load: {
    // Work that waits: the other gauge stands at 0.
    placed: [{ name: 'waits', to: { case: 'queues' }, starts: -4, waitsForKv: 90, tokens: 1 }],
  },
  before: [
    { kind: 'stream-open', case: 'queues', request: 'waits' },
    { kind: 'idle', case: 'second' },
  ],
  act: [
    { at: -1, do: 'control-engine', cases: ['second'], control: { busyAfterRead: 12 } },
    scaleDown('queues'),
    scaleDown('second'),
    { at: 22, do: 'look', deployments: ['queues'] },
  ],
  until: { gone: ['second'], then: 2, atMost: 60 },
  decides: [
    { requirement: 'GS-RP-15', cases: ['queues'] },
    { requirement: 'GS-RP-16', cases: ['second'] },
    { requirement: 'GS-RP-17', cases: ['second'] },
  ],
  controls: [
    { fault: 'retire-short-gauge-list', breaks: ['GS-RP-15'] },
    { fault: 'retire-one-read', breaks: ['GS-RP-16', 'GS-RP-17'] },
    { fault: 'retire-ignores-second-read', breaks: ['GS-RP-16', 'GS-RP-17'] },
  ],
});
