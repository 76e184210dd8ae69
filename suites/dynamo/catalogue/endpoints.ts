import { said, tabled, tables, rows } from './page.ts';

/** Which endpoints wait for their requests. */
export const endpoints = rows('Endpoint Draining', [
  {
    id: 'DY-ED-01',
    level: 'MUST',
    statement:
      'An endpoint served with `graceful_shutdown=True` waits for all its requests, up to the bound of the runtime.',
    source: said(41, '48a25082f19fe0a684fc72d89e16a4abb04d1208c8bf44ddafc5846c7441d058', tables.draining),
    needs: ['dynamo:worker'],
    open: 'several endpoints of one worker',
  },
  {
    id: 'DY-ED-02',
    level: 'MUST',
    statement: 'One served with `False` returns at once.',
    source: said(48, '3f5e1d31c78eac03ffeca90cabdd57678185bc61b18878ccf5fb9e3d15a3e17b', tables.draining),
    needs: ['dynamo:worker'],
  },
  {
    id: 'DY-ED-03',
    level: 'MUST',
    statement: 'Prefill worker, decode worker and router wait; the frontend has its own HTTP drain. Judged apart.',
    source: tabled(tables.components),
  },
]);
