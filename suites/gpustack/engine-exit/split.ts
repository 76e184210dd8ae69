import { alone, decide, pair, pod, scenario } from './scenario.ts';

const idle = ['idle-prefill-30', 'idle-decode-30', 'idle-prefill-45', 'idle-decode-45'];
const late = ['late-prefill-30', 'late-decode-30', 'late-prefill-45', 'late-decode-45'];

/** Both halves of split pairs at two graces, each idle once, and once with work that ends later than G - 20. */
export default scenario({
  id: 'sglang-split',
  title: 'a split SGLang replica needs 15 s and more after SIGTERM; the kill that comes first costs no request',
  deploy: alone(
    pair('pd30', 2, { terminationGracePeriodSeconds: 30 }),
    pair('pd45', 2, { terminationGracePeriodSeconds: 45 }),
  ),
  cases: {
    'idle-prefill-30': pod('pd30', 'prefill', 0),
    'idle-decode-30': pod('pd30', 'decode', 0),
    'idle-prefill-45': pod('pd45', 'prefill', 0),
    'idle-decode-45': pod('pd45', 'decode', 0),
    'late-prefill-30': pod('pd30', 'prefill', 1, 22),
    'late-decode-30': pod('pd30', 'decode', 1, 22),
    'late-prefill-45': pod('pd45', 'prefill', 1, 36),
    'late-decode-45': pod('pd45', 'decode', 1, 36),
  },
  load: {
    placed: [
      // A prefiller holds what it has computed in its transfer queue; a decoder generates.
      { name: 'transfers-30', to: { case: 'late-prefill-30' }, starts: -4, waitsForKv: 25.75, tokens: 1 },
      { name: 'transfers-45', to: { case: 'late-prefill-45' }, starts: -4, waitsForKv: 39.75, tokens: 1 },
      { name: 'decodes-30', to: { case: 'late-decode-30' }, starts: -4, ends: 22, waitsForKv: 4 },
      { name: 'decodes-45', to: { case: 'late-decode-45' }, starts: -4, ends: 36, waitsForKv: 4 },
    ],
  },
  before: [
    ...idle.map((name) => ({ kind: 'idle' as const, case: name })),
    ...late.map((name) => ({ kind: 'stream-open' as const, case: name })),
  ],
  act: [{ at: 0, do: 'delete', cases: [...idle, ...late] }],
  until: { gone: [...idle, ...late], then: 1, atMost: 60 },
  decides: [
    ...decide(['GS-DW-06', 'GS-DW-16', 'GS-DW-34'], idle),
    ...decide(['GS-DW-17'], ['idle-prefill-45', 'idle-decode-45']),
    ...decide(['GS-DW-12', 'GS-DW-07'], late),
    ...decide(['GS-DW-37'], ['late-prefill-30', 'late-decode-30']),
    ...decide(['GS-LM-06'], [...late, 'idle-prefill-45', 'idle-decode-45']),
  ],
  controls: [
    { fault: 'sglang-scheduler-hangs', breaks: ['GS-DW-16', 'GS-DW-17', 'GS-LM-06'] },
    { fault: 'sglang-skips-wait', breaks: ['GS-DW-34'] },
    { fault: 'engine-cuts-early', breaks: ['GS-DW-12', 'GS-DW-37', 'GS-LM-06'] },
  ],
});
