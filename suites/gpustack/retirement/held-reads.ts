import type { EngineControl } from '../../../src/engines/behaviour.ts';
import type { Step } from '../../../src/scenario/scenario.ts';
import { routed, scaleDown, scenario, targets } from './scenario.ts';

const spoilt = {
  partial: 'partial',
  refused: 'refuse',
  hangs: 'hang',
  garbage: 'garbage',
  huge: 'huge',
} satisfies Record<string, EngineControl['metrics']>;
/** Its image lacks the program that the read is done with: the exec itself fails. */
const bare = 'without-program';
const names = [...Object.keys(spoilt), bare];
const tell = ([name, metrics]: [string, EngineControl['metrics'] & string]): Step => ({
  at: -1,
  do: 'control-engine',
  cases: [name],
  control: { metrics },
});

/** An answer that does not prove the target idle, in each way there is: one deployment a way, held side by side. */
export default scenario({
  id: 'held-unread',
  title: 'a replica whose answer lacks a gauge, is none, hangs or is too big is held, and the reason says so',
  deploy: {
    kind: 'gpustack',
    deployments: names.map((name) => routed(name, name === bare ? { image: 'quiesce/vllm-bare:1' } : {})),
  },
  cases: targets(names),
  act: [
    ...(Object.entries(spoilt) as [string, EngineControl['metrics'] & string][]).map(tell),
    // Later than the others: how soon a reason names its bound is judged of two of them.
    ...names.map((name) => scaleDown(name, name === bare ? 10 : 0)),
    { at: 36, do: 'look', deployments: names },
  ],
  until: { then: 1, atMost: 38 },
  decides: [
    { requirement: 'GS-RP-22', cases: ['partial'] },
    { requirement: 'GS-RP-23', cases: ['garbage'], part: 'no metrics', given: { reason: 'unreadable' } },
    { requirement: 'GS-RP-23', cases: ['refused'], part: 'refused', given: { reason: 'incomplete' } },
    { requirement: 'GS-RP-23', cases: [bare], part: 'fails', given: { reason: 'unread' } },
    { requirement: 'GS-RP-23', cases: ['hangs'], part: 'times out', given: { reason: 'incomplete' } },
    { requirement: 'GS-RP-33', cases: ['huge'], part: 'bytes', given: { reason: 'tooBig' } },
    { requirement: 'GS-RP-33', cases: ['hangs'], part: 'seconds', given: { reason: 'incomplete' } },
  ],
  controls: [
    { fault: 'retire-absent-is-zero', breaks: ['GS-RP-22', 'GS-RP-23', 'GS-RP-33'] },
    { fault: 'retire-failed-read-is-idle', breaks: ['GS-RP-22', 'GS-RP-23', 'GS-RP-33'] },
    { fault: 'retire-read-unbounded', breaks: ['GS-RP-23', 'GS-RP-33'] },
  ],
});
