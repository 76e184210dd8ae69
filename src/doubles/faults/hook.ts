import { difference } from './as-implemented.ts';
import type { Fault } from './fault.ts';

const field = {
  code: 'GPUStack operator source: a hook that follows its gauges by name counts an absent one as 0',
  kserve: 'kserve test_prestop_hook.py allows an end 3 s early, since fixed sleeps are what hooks often are',
} as const;

const faults: Omit<Fault, 'double'>[] = [
  {
    name: 'hook-returns-early',
    does: 'returns at 2 s without a read',
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
      'GS-DW-30',
      'GS-DW-32',
      'GS-LM-01',
      'GS-LM-08',
    ],
    seenInField: field.kserve,
  },
  {
    name: 'hook-waits-for-grace',
    does: 'sleeps to G - 5 and reads nothing',
    breaks: ['GS-DW-06', 'GS-DW-07', 'GS-DW-11', 'GS-DW-13', 'GS-DW-20', 'GS-LM-08'],
    seenInField: field.kserve,
  },
  {
    name: 'hook-one-idle-read',
    does: 'returns on the first idle read',
    breaks: ['GS-DW-06', 'GS-DW-07'],
  },
  {
    name: 'hook-idle-not-in-a-row',
    does: 'returns on the second idle read, though a busy one lay between',
    breaks: ['GS-DW-07', 'GS-DW-12'],
  },
  {
    name: 'hook-settle-short',
    does: 'reads from 0 s on, without the 5 s in which late requests land',
    breaks: ['GS-DW-05', 'GS-DW-06', 'GS-DW-11', 'GS-DW-20', 'GS-LM-08'],
  },
  {
    name: 'hook-settle-long',
    does: 'reads nothing for 10 s',
    breaks: ['GS-DW-06', 'GS-DW-07', 'GS-DW-11', 'GS-DW-20', 'GS-LM-08'],
  },
  { name: 'hook-slow-poll', does: 'reads once in 5 s', breaks: ['GS-DW-06', 'GS-DW-07'] },
  {
    name: 'hook-late-bound',
    does: 'keeps no reserve: starts reads until G',
    breaks: ['GS-DW-08', 'GS-DW-11', 'GS-DW-21', 'GS-DW-22', 'GS-DW-28', 'GS-LM-01'],
  },
  {
    name: 'hook-long-timeout',
    does: 'waits 5 s for the answer to a read',
    breaks: ['GS-DW-08', 'GS-DW-21'],
  },
  { name: 'hook-timeout-is-idle', does: 'takes a read that timed out for an idle one', breaks: ['GS-DW-21'] },
  {
    name: 'hook-refused-is-busy',
    does: 'goes on polling a listener that refuses the read',
    breaks: ['GS-DW-20', 'GS-LM-08'],
  },
  { name: 'hook-error-is-busy', does: 'goes on polling a listener that answers an HTTP error', breaks: ['GS-DW-20'] },
  { name: 'hook-tls-is-busy', does: 'goes on polling a listener whose TLS handshake fails', breaks: ['GS-DW-20'] },
  { name: 'hook-absent-gauge-is-idle', ...difference('hook-absent-gauge-is-idle') },
  { name: 'hook-garbage-is-idle', does: 'takes a sample that it cannot parse for 0', breaks: ['GS-DW-22'] },
  {
    name: 'hook-ignores-running',
    does: 'sums the waiting requests alone',
    breaks: ['GS-DW-01', 'GS-DW-07', 'GS-DW-12', 'GS-DW-19', 'GS-DW-27', 'GS-DW-32', 'GS-LM-01', 'GS-LM-09'],
    seenInField: field.code,
  },
  {
    name: 'hook-ignores-waiting',
    does: 'sums the running requests alone',
    breaks: ['GS-DW-19'],
    seenInField: field.code,
  },
  ...['queue', 'prefill-bootstrap', 'prefill-inflight', 'decode-prealloc', 'decode-transfer'].map((queue) => ({
    name: `hook-ignores-${queue}`,
    does: `leaves the ${queue} gauge of SGLang out of its sum`,
    breaks: ['GS-DW-19'],
    seenInField: 'InftyAI/llmaz and LLMKube summed names of SGLang that are not there, or not all of them',
  })),
  {
    name: 'hook-first-series-only',
    does: 'reads the first series of each gauge instead of their sum',
    breaks: ['GS-DW-30'],
    seenInField: 'GPUStack operator source: a router that discovers member 0 only, with several data-parallel ranks',
  },
  {
    name: 'hook-reads-default-port',
    does: 'reads port 8000, whatever the scrape annotations name',
    breaks: ['GS-DW-18', 'GS-LM-12'],
  },
  {
    name: 'hook-reserve-proportional',
    does: 'starts no read after two thirds of G, instead of G - 5',
    breaks: ['GS-DW-07', 'GS-DW-11', 'GS-DW-12', 'GS-DW-21', 'GS-DW-22', 'GS-DW-27', 'GS-DW-32', 'GS-LM-01'],
  },
];

export const hookFaults: readonly Fault[] = faults.map((fault) => ({ ...fault, double: 'drain-hook' }));
