import type { EngineBehaviour } from '../../../src/engines/behaviour.ts';
import type { Scenario } from '../../../src/scenario/scenario.ts';
import { behindRouter, decide, pod, scenario, toRouter } from './scenario.ts';

/** A replica that works past its grace: one request ends at G - 8, one would end at G + 5. */
const busy = (
  abort: NonNullable<EngineBehaviour['abort']>,
  grace: number,
  rest: Pick<Scenario, 'title' | 'decides' | 'controls'> & Partial<Scenario>,
): Scenario => ({
  ...scenario({
    id: `busy-${abort}`,
    deploy: behindRouter({ name: 'serve', replicas: 2, terminationGracePeriodSeconds: grace, engine: { abort } }),
    cases: { victim: pod('serve', 0, null) },
    load: {
      placed: [
        { name: 'early', to: toRouter, starts: -5, ends: grace - 8, copies: 2 },
        { name: 'outlasts', to: toRouter, starts: -4.5, ends: grace + 5, copies: 2 },
      ],
    },
    before: [
      { kind: 'stream-open', case: 'victim', request: 'early' },
      { kind: 'stream-open', case: 'victim', request: 'outlasts' },
      { kind: 'survivor-ready', deployment: 'chat' },
    ],
    act: [{ at: 0, do: 'delete', cases: ['victim'] }],
    until: { gone: ['victim'], then: 6, atMost: grace + 15 },
    ...rest,
  }),
});

const always = ['GS-DW-08', 'GS-DW-27', 'GS-DW-28', 'GS-LM-01', 'GS-LM-03'];

/** The abort reaches the client as its own chunk; a Pod waits for the accelerator. */
export const flush = busy('flush', 30, {
  title: 'a replica that stays busy is signalled between G - 5 and G - 3, and keeps its accelerator until it exits',
  act: [
    { at: -2, do: 'create-waiting-pod', name: 'waiting', accelerators: 1 },
    { at: 0, do: 'delete', cases: ['victim'] },
  ],
  decides: [
    ...decide([...always, 'GS-DW-12'], ['victim']),
    { requirement: 'GS-DW-14', cases: ['victim'], given: { waiting: 'waiting', quota: true } },
  ],
  controls: [
    { fault: 'hook-late-bound', breaks: ['GS-DW-08', 'GS-DW-28', 'GS-LM-01'] },
    { fault: 'hook-ignores-running', breaks: ['GS-DW-12', 'GS-DW-27', 'GS-LM-01'] },
    { fault: 'hook-reserve-proportional', breaks: ['GS-DW-12', 'GS-DW-27', 'GS-LM-01'] },
    { fault: 'router-retries-midstream', breaks: ['GS-LM-03'] },
    { fault: 'accelerator-released-at-delete', breaks: ['GS-DW-14'] },
    { fault: 'quota-released-at-delete', breaks: ['GS-DW-14'] },
  ],
});

/** The abort reaches the client as an error frame followed by `[DONE]`. */
export const errorFrame = busy('error', 15, {
  title: 'a cut that is told as an error frame is the same cut',
  decides: decide(always, ['victim']),
  controls: [{ fault: 'hook-late-bound', breaks: ['GS-DW-08', 'GS-DW-28', 'GS-LM-01'] }],
});

/** The abort reaches nobody: the streams go silent and the engine lives until the kill. */
export const silence = busy('silence', 15, {
  title: 'a stream that goes silent is the same cut',
  decides: decide(always, ['victim']),
  controls: [
    { fault: 'hook-late-bound', breaks: ['GS-DW-08', 'GS-DW-28', 'GS-LM-01'] },
    { fault: 'router-retries-midstream', breaks: ['GS-LM-03'] },
  ],
});
