import { said, rows } from './page.ts';

/** The frontend's HTTP drain. */
export const frontend = rows('Frontend HTTP Draining', [
  {
    id: 'DY-FE-01',
    level: 'MUST',
    statement: 'On the signal the frontend marks itself draining: `/health` answers 503.',
    source: said([73, 74], 'b696bf779b0b638ad0a378abd1d406eb9316757fa4002f1338d9caeabb2de285'),
    needs: ['dynamo:frontend'],
  },
  {
    id: 'DY-FE-02',
    level: 'MUST',
    statement: 'New OpenAI-compatible requests get 503.',
    source: said(74, 'b15ad32f16af332b1128e1d7fa1562e286c3222f10062395c62fcf9cc5ee6903'),
    needs: ['dynamo:frontend'],
  },
  {
    id: 'DY-FE-03',
    level: 'MUST',
    statement: '`/live` stays 200 while requests drain, so a liveness probe does not restart the process.',
    source: said(75, '874067548c5283c60cea305f71fb59d60dc7ba5e6f3c3e94b5257eb41fefdc70'),
    needs: ['dynamo:frontend'],
    formula: 'live in [signal, min(signal + H, lastBody)]',
  },
  {
    id: 'DY-FE-04',
    level: 'MUST',
    statement: 'Admitted response bodies, streams included, complete if they end within the HTTP timeout.',
    source: said(76, '2334892c0d82060747a784439e505a3bd5875e1d59988e7951cab6e9831aadbd'),
    needs: ['dynamo:frontend'],
    formula: 'lastBody <= signal + H: whole',
  },
  {
    id: 'DY-FE-05',
    level: 'MUST',
    statement:
      'An accepted `/v1/realtime` session keeps the drain open as a running body does, though its upgrade response has ended.',
    source: said(77, 'fbf7c68fb8e9d77cc8666c74e6e9d7f3ac55cc9391060a2c5efc6a107a51f005'),
    needs: ['dynamo:frontend'],
    formula: 'stopping >= min(sessionEnd, signal + H)',
  },
  {
    id: 'DY-FE-06',
    level: 'MUST',
    statement:
      'After `DYN_HTTP_GRACEFUL_SHUTDOWN_TIMEOUT_SECS` (5 s by default), counted from the signal, it enters stopping and cancels the runtime.',
    source: said(78, '704c2b1e11216d2e52886058a3b38f48b9757339aeac399a5d28ad88c72628bd'),
    needs: ['dynamo:frontend'],
    formula: 'stopping in [signal + H, signal + H + timer]',
    open: 'values other than the default',
  },
  {
    id: 'DY-FE-07',
    level: 'MUST',
    statement:
      'The frontend cancels the distributed runtime after the HTTP drain, not before: what needs the runtime still works while it drains.',
    source: said(71, 'b8f8295ba48af4054621323a295e270d00c4021c186ed466bb5e1b574822aeef'),
    needs: ['dynamo:frontend'],
    open: 'a migration in the drain: only that a stream which needs the request plane flows on',
  },
]);
