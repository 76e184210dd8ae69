import type { Decision, Manifest } from '../../history/manifest.ts';

export const STARTED_AT = '2026-11-30T08:00:00.000Z';

/** Everything that the simulated scenario decides. */
export const simDecisions: Decision[] = [
  { requirement: 'GS-DW-01', cases: ['victim'], part: 'delete' },
  ...[
    'GS-DW-04',
    'GS-DW-05',
    'GS-DW-06',
    'GS-DW-07',
    'GS-DW-08',
    'GS-DW-09',
    'GS-DW-10',
    'GS-DW-12',
    'GS-DW-16',
    'GS-DW-17',
    'GS-DW-26',
    'GS-DW-27',
    'GS-DW-28',
    'GS-DW-29',
    'GS-DW-34',
    'GS-DW-37',
    'GS-LM-01',
    'GS-LM-02',
    'GS-LM-03',
    'GS-LM-06',
  ].map((requirement) => ({ requirement, cases: ['victim'] })),
  { requirement: 'GS-DW-14', cases: ['victim'], given: { waiting: 'waiting' } },
];

export const simManifest = (timeScale: number, decides: Decision[] = simDecisions): Manifest => ({
  format: 1,
  tool: { name: 'quiesce', version: '0.1.0', node: 'v20' },
  scenario: {
    id: 'simulated',
    title: 'simulated',
    document: 'gpustack',
    section: 'Drain window',
    cases: { victim: { deployment: 'chat', role: 'serve', index: 0 } },
    decides,
  },
  target: 'embedded',
  versions: {},
  namespace: 'n',
  timeScale,
  seed: 1,
  faults: [],
  startedAt: STARTED_AT,
  hashes: {},
});
