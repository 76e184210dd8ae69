import type { DifferenceName } from '../../../src/requirements/differences.ts';
import { alone, pod, scenario } from './scenario.ts';

const tls = ['--ssl-keyfile', '/certs/tls.key', '--ssl-certfile', '/certs/tls.crt'];

/** Listeners that refuse, answer an error, fail the handshake (while work runs), hang, or answer garbage (while idle). */
export default scenario({
  id: 'unreadable-listener',
  title: 'a listener that cannot be read ends the hook; one that hangs or talks nonsense keeps it',
  deploy: alone(
    { name: 'refused', replicas: 1 },
    { name: 'error', replicas: 1 },
    { name: 'tls', replicas: 1, extraArgs: tls },
    { name: 'hang', replicas: 1 },
    { name: 'garbage', replicas: 1 },
    { name: 'absent', replicas: 1 },
  ),
  cases: {
    refused: pod('refused', 0, null),
    error: pod('error', 0, null),
    tls: pod('tls', 0, null),
    hang: pod('hang', 0),
    garbage: pod('garbage', 0),
    absent: pod('absent', 0, null),
  },
  load: {
    placed: [
      { name: 'runs-refused', to: { case: 'refused' }, starts: -4, ends: 36 },
      { name: 'runs-error', to: { case: 'error' }, starts: -4, ends: 36 },
      { name: 'runs-tls', to: { case: 'tls' }, starts: -4, ends: 36, tls: true },
      { name: 'runs-absent', to: { case: 'absent' }, starts: -4, ends: 36 },
    ],
  },
  before: [
    { kind: 'stream-open', case: 'refused' },
    { kind: 'stream-open', case: 'error' },
    { kind: 'stream-open', case: 'tls' },
    { kind: 'stream-open', case: 'absent' },
    { kind: 'idle', case: 'hang' },
    { kind: 'idle', case: 'garbage' },
  ],
  act: [
    { at: -0.5, do: 'control-engine', cases: ['hang'], control: { metrics: 'hang' } },
    { at: -0.5, do: 'control-engine', cases: ['garbage'], control: { metrics: 'garbage' } },
    { at: -0.5, do: 'control-engine', cases: ['absent'], control: { metrics: 'absent' } },
    { at: 0, do: 'delete', cases: ['refused', 'error', 'tls', 'hang', 'garbage', 'absent'] },
    { at: 7.75, do: 'control-engine', cases: ['refused'], control: { metrics: 'refuse' } },
    { at: 7.75, do: 'control-engine', cases: ['error'], control: { metrics: 'fail-http' } },
    { at: 7.75, do: 'control-engine', cases: ['tls'], control: { metrics: 'break-tls' } },
  ],
  until: { gone: ['refused', 'error', 'tls', 'hang', 'garbage', 'absent'], atMost: 40 },
  decides: [
    { requirement: 'GS-DW-20', cases: ['refused'], part: 'refused', given: { from: 7.75 } },
    { requirement: 'GS-DW-20', cases: ['error'], part: 'http-error', given: { from: 7.75 } },
    { requirement: 'GS-DW-20', cases: ['tls'], part: 'tls', given: { from: 7.75 } },
    { requirement: 'GS-DW-21', cases: ['hang'] },
    { requirement: 'GS-DW-22', cases: ['garbage'] },
    {
      requirement: 'GS-DW-01',
      cases: ['absent'],
      part: 'delete',
      given: { difference: 'hook-absent-gauge-is-idle' satisfies DifferenceName },
    },
  ],
  controls: [
    { fault: 'hook-refused-is-busy', breaks: ['GS-DW-20'] },
    { fault: 'hook-error-is-busy', breaks: ['GS-DW-20'] },
    { fault: 'hook-tls-is-busy', breaks: ['GS-DW-20'] },
    { fault: 'hook-timeout-is-idle', breaks: ['GS-DW-21'] },
    { fault: 'hook-garbage-is-idle', breaks: ['GS-DW-22'] },
    { fault: 'hook-absent-gauge-is-idle', breaks: ['GS-DW-01'] },
    { fault: 'as-implemented', breaks: ['GS-DW-01'] },
  ],
});
