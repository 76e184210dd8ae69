import { said, tabled, tables, rows } from './page.ts';
import { drainWindow as c } from '../../../src/requirements/drain-window.ts';

/** What the hook reads, and what it makes of each answer. */
export const hookReads = rows('Drain window', [
  {
    id: 'GS-DW-18',
    level: 'MUST',
    statement:
      "The hook reads the listener that the Pod's scrape annotations name (scheme, port and path); on a direct decoder that is the engine behind the routing proxy, not the port of the Service.",
    source: said(29, '0a32eef38b20abca631b20519fe0d138d77337dd0cbbab7bf77a04da98d1464d'),
  },
  {
    id: 'GS-DW-19',
    level: 'MUST',
    statement:
      "Each in-flight gauge alone makes the replica busy: vLLM's two (running, and waiting, which counts a decoder's requests that wait for their KV) and SGLang's six (running, queue, prefill bootstrap and inflight, decode prealloc and transfer).",
    source: tabled(tables.gauges),
  },
  {
    id: 'GS-DW-20',
    level: 'MUST',
    statement:
      'A listener that refuses the read, answers an HTTP error or fails the TLS handshake ends the hook at that first read, never before 5 s, though work still runs. Three causes, three verdicts.',
    source: said(31, '67579dd5c895419fdd3e6e551e3342de523dc1889da270765401a676ab2c854c'),
    formula: [`failing >= D + ${c.settle}`, `S in [failing, failing + r + p]`].join('; '),
  },
  {
    id: 'GS-DW-21',
    level: 'MUST',
    statement: 'A read that times out counts as busy.',
    source: said(31, '5dafb861d1cca5d88c79c1e6aee8b284ebe6d342ee16d48c2d76309e31f41fdb'),
    formula: `S in [D + G - ${c.exitReserve}, K + G - ${c.signalReserve} + p]`,
  },
  {
    id: 'GS-DW-22',
    level: 'MUST',
    statement: 'A sample of a summed gauge that cannot be parsed counts as busy.',
    source: said(31, '5dafb861d1cca5d88c79c1e6aee8b284ebe6d342ee16d48c2d76309e31f41fdb'),
    formula: `S in [D + G - ${c.exitReserve}, K + G - ${c.signalReserve} + p]`,
  },
  {
    id: 'GS-DW-30',
    level: 'MUST',
    statement: 'The hook sums a gauge over all its series: one busy series among idle ones keeps the replica busy.',
    source: said(29, '9654d3fe0223cfef37ec51e29e266978cba945c3d59ebf8da0aea5ceaa7c3048'),
    formula: `x > G - ${c.exitReserve}: S >= D + G - ${c.exitReserve}`,
  },
]);
