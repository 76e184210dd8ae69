import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinedEvent } from '../src/history/reader.ts';
import type { Manifest } from '../src/history/manifest.ts';
import type { Verdict } from '../src/judge/verdict.ts';
import { issueText } from './issue.ts';

const manifest: Manifest = {
  format: 1,
  tool: { name: 'quiesce', version: '0.1.0', node: 'v20' },
  scenario: {
    id: 'drains',
    title: 'a frontend stays live',
    document: 'dynamo',
    section: 'Draining',
    cases: {},
    decides: [],
  },
  target: 'embedded',
  real: ['dynamo'],
  versions: { dynamo: '1.6.1', kubernetes: 'v1.34.4' },
  namespace: 'q-drains',
  timeScale: 1,
  seed: 1,
  faults: [],
  startedAt: '2026-11-30T00:00:00Z',
  hashes: {},
};

const pod = { spec: { containers: [{ command: ['python3', '-m', 'dynamo.frontend'], args: ['--x'] }] } };
const event = (line: number, kind: string, data: object, subject = 'harness'): LinedEvent =>
  ({
    seq: line,
    line,
    at: [line * 1000, line * 1000],
    source: 'harness',
    kind,
    subject,
    data,
  }) as unknown as LinedEvent;
const events = [
  event(1, 'object.added', { object: pod }, 'Pod/q/a'),
  event(2, 'object.added', { object: pod }, 'Pod/q/b'),
  event(3, 'zero', { plannedAt: 3000 }),
  event(4, 'action.sent', { id: '1', verb: 'delete', target: 'Pod/q/a' }),
  event(5, 'object.added', { object: pod }, 'Pod/q/replacement'),
  event(6, 'log.line', { uid: 'a', container: 'main', line: '{"message":"Runtime shutdown initiated"}' }),
  ...Array.from({ length: 30 }, (_, i) =>
    event(7 + i, 'probe.http', { uid: 'a', path: '/live', status: 503, body: 'no' }),
  ),
];
const verdict: Verdict = {
  requirement: 'DY-FE-03',
  outcome: 'fail',
  scenario: 'drains',
  source: 'a page, line 75',
  findings: [
    { outcome: 'pass', formula: 'not told', seen: 'not told', evidence: [] },
    {
      outcome: 'fail',
      formula: 'live: 200',
      seen: '30 reads got 503',
      evidence: events.slice(5).map(({ line, seq, at }) => ({ line, seq, at, what: `event ${line}` })),
    },
  ],
  again: 'quiesce judge .',
};
const known = {
  requirement: 'DY-FE-03',
  version: '1.6.1',
  document: '`/live` answers 200 while requests drain.',
  program: '`/live` answers 503. Later more.',
  evidence: 'seen',
  issue: 'https://example.org/1',
  expires: '2027-01-01',
};

test('an issue says what is promised, what is done, how to see it again, and quotes the program', () => {
  const text = issueText({ manifest, events, verdict, requirement: undefined, known });
  const said = [
    '# Draining: `/live` answers 503\n',
    '`/live` answers 200 while requests drain.\n\n(a page, line 75)',
    '- promised: `live: 200`\n- seen: 30 reads got 503',
    'A frontend stays live:',
    '- started: 2 × `python3 -m dynamo.frontend --x`\n- done: delete a\n- again: `npx quiesce run drains --real dynamo`',
    '    3.000 s  event 6\n             {"message":"Runtime shutdown initiated"}',
    '   33.000 s  event 36\n             no',
    '... 19 more ...',
    'dynamo 1.6.1, its own programs',
    'reported before: https://example.org/1',
  ];
  for (const piece of said) assert.ok(text.includes(piece), `${piece}\nis not in\n${text}`);
  assert.ok(!text.includes('not told') && !text.includes('event 20'));
});

test('what nobody knows yet is told by the verdict alone', () => {
  const text = issueText({ manifest, events, verdict, requirement: undefined, known: undefined });
  assert.match(text, /^# Draining: not as documented: DY-FE-03\n/);
  assert.match(text, /seen: 30 reads got 503/);
});
