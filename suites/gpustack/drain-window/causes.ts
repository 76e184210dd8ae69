import type { Scenario } from '../../../src/scenario/scenario.ts';
import { behindRouter, decide, leaving, pod, scenario, toRouter } from './scenario.ts';

const stream: NonNullable<Scenario['load']> = {
  placed: [{ name: 'last', to: toRouter, starts: -5, ends: 8.75, copies: 2 }],
};
const common = decide(['GS-DW-07', 'GS-DW-12'], ['victim']);

/** The Eviction API, as `kubectl drain` uses it. */
export const eviction = scenario({
  id: 'eviction-drains',
  title: 'an evicted replica drains before its engine is signalled',
  deploy: behindRouter({ name: 'serve', replicas: 2 }),
  cases: { victim: pod('serve', 0, 8.75) },
  load: stream,
  before: [{ kind: 'stream-open', case: 'victim', request: 'last' }],
  act: [{ at: 0, do: 'evict', cases: ['victim'] }],
  until: { gone: ['victim'], atMost: 40 },
  decides: [{ requirement: 'GS-DW-01', cases: ['victim'], part: 'eviction' }, ...common],
  controls: [{ fault: 'hook-missing', breaks: ['GS-DW-01', 'GS-DW-07', 'GS-DW-12'] }],
});

/** A Pod of higher priority that needs an accelerator of the full node. */
export const preemption = scenario({
  id: 'preemption-drains',
  title: 'a preempted replica drains, and the preemptor waits for its accelerator',
  deploy: behindRouter({ name: 'serve', replicas: 2 }),
  cases: { victim: leaving('serve', 8.75) },
  load: stream,
  before: [{ kind: 'survivor-ready', deployment: 'chat' }],
  act: [{ at: 0, do: 'preempt', name: 'urgent', accelerators: 1 }],
  until: { gone: ['victim'], then: 1, atMost: 40 },
  decides: [
    { requirement: 'GS-DW-01', cases: ['victim'], part: 'preemption' },
    ...common,
    { requirement: 'GS-DW-14', cases: ['victim'], given: { waiting: 'urgent', quota: true } },
  ],
  controls: [
    { fault: 'hook-missing', breaks: ['GS-DW-01', 'GS-DW-07', 'GS-DW-12'] },
    { fault: 'accelerator-released-at-delete', breaks: ['GS-DW-14'] },
  ],
});

/** An edit that rolls a role of two replicas. */
export const rollout = scenario({
  id: 'rollout-drains',
  title: 'a replica that a rollout replaces drains before its engine is signalled',
  deploy: behindRouter({ name: 'serve', replicas: 2, terminationGracePeriodSeconds: 20 }),
  cases: { victim: leaving('serve', null) },
  // Long enough to be open at the delete of the second replica too, which follows the first one's end.
  load: { placed: [{ name: 'long', to: toRouter, starts: -5, ends: 40, copies: 2 }] },
  before: [{ kind: 'survivor-ready', deployment: 'chat' }],
  act: [
    {
      at: 0,
      do: 'edit',
      name: 'roll',
      deployment: 'chat',
      patch: [{ op: 'add', path: '/spec/roles/0/env', value: [{ name: 'EDITED', value: 'yes' }] }],
    },
  ],
  until: { turnedOver: ['victim'], atMost: 60 },
  decides: [{ requirement: 'GS-DW-01', cases: ['victim'], part: 'rollout', given: { edit: 'roll' } }],
  controls: [{ fault: 'rollout-deletes-with-no-grace', breaks: ['GS-DW-01'] }],
});
