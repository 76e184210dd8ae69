import { said, tabled, tables, rows } from './page.ts';
import { drainWindow as c } from '../../../src/requirements/drain-window.ts';

/** A request that ends later than this before G may meet the deadline before its second idle read. */
const late = c.exitReserve + 2 * c.poll;

/** The drain window's instants: what happens when, counted from the delete. */
export const drainWindow = rows('Drain window', [
  {
    id: 'GS-DW-01',
    level: 'MUST',
    statement:
      'A replica whose command the operator builds drains before its engine is signalled, whatever deleted its Pod: a rollout, a node drain, a preemption or `kubectl delete pod`, judged apart. Every deleted replica does, of every kind and on both engines.',
    source: said(13, 'ba5b1be303cda1d08c10b874ea741e24f7e0026894214aadc530f16aa840e3c7'),
    open: 'SGLang for causes other than a delete.',
  },
  {
    id: 'GS-DW-04',
    level: 'MUST',
    statement:
      'Once the Pod has a deletion timestamp every supported router stops choosing it, while its Ready condition is still True.',
    source: said(21, '6b32bc2d1c6885b4e24c5a28f78349e43cd26d91370894f0750a94141c52b132', tables.timeline),
    needs: ['router:any'],
    formula: 'chosen <= D + w',
    open: 'llm-d-router and the SGLang gateway: decided on vllm-router so far.',
  },
  {
    id: 'GS-DW-05',
    level: 'MUST',
    statement:
      'For the first 5 s no signal is sent and a request that reaches the engine is served as before; it completes if it ends before G - 5.',
    source: said(21, '17915c029bf3e4b11b9f0bf8f1fb577cb5deefbf0b8c5ed3a24e85257b42f77d', tables.timeline),
    formula: `S >= D + ${c.settle}`,
  },
  {
    id: 'GS-DW-06',
    level: 'MUST',
    statement: 'The hook of an idle replica returns about 6 s after the delete, whatever G is.',
    source: said(19, '3e261c1a9207e49a78ef3f25da9af9e32e129e8df31aa408d175c7f38b7d2e30'),
    formula: `R in [D + ${c.idleHook}, K + ${c.idleHook} + 2r + p]`,
  },
  {
    id: 'GS-DW-07',
    level: 'MUST',
    statement:
      'From 5 s to G - 5 the hook reads once a second and returns on the second idle read in a row; the signal follows the end of the last request accordingly.',
    source: tabled(tables.timeline),
    formula: [
      `x < ${c.settle}: S in [D + ${c.idleHook}, K + ${c.idleHook} + 2r + p]`,
      `${c.settle} <= x <= G - ${late}: S in [x + ${c.poll}, x + ${2 * c.poll} + 3r + g + p]`,
      `G - ${late} < x <= G - ${c.exitReserve}: S in [min(x + ${c.poll}, G - ${c.exitReserve}), K + G - ${c.signalReserve} + p]`,
    ].join('; '),
  },
  {
    id: 'GS-DW-08',
    level: 'MUST',
    statement: 'SIGTERM comes by G - 3, also on a replica that stays busy.',
    source: tabled(tables.timeline),
    formula: `S <= K + G - ${c.signalReserve} + p`,
  },
  {
    id: 'GS-DW-09',
    level: 'MUST',
    statement:
      "At G, counted from the kubelet's start, the kubelet kills what is left of the engine container; a side container may have 2 s more.",
    source: said(77, '70d5c86a996b6cf4688874c9a4dda6afafe1bb22f43456ead1743f257c16be37', tables.timeline),
    formula: 'E in [K + G, K + G + kill]',
  },
  {
    id: 'GS-DW-11',
    level: 'MUST',
    statement: 'The first 5 s and the last 5 s do not move with G; only the wait between them does.',
    source: said(19, 'e50481010c117b75a9492e6ffeccf657493a557d3db01691ea23da8df1cbf439'),
    formula: [
      `S >= D + ${c.settle}`,
      `read < K + G - ${c.exitReserve} + p`,
      `S <= K + G - ${c.signalReserve} + p`,
    ].join('; '),
  },
  {
    id: 'GS-DW-12',
    level: 'MUST',
    statement:
      'A running request that ends before G - 5 is not cut, and no SIGTERM comes before it ends: the wait comes before the signal.',
    source: said(21, 'ff1946ff8779323a1c9108201c9d6cda64e7e3eb0845d0d85b1a8dec5201d426'),
    formula: `x < D + G - ${c.exitReserve}: S >= x`,
  },
  {
    id: 'GS-DW-13',
    level: 'MUST',
    statement: 'G is a ceiling, not a wait: an idle replica with a large G leaves as early as one with a small G.',
    source: said(23, 'b90e2b5e199f2f756069668c72e677418cfdba7b7d7f9eac0773348010888a4e'),
    formula: [`R in [D + ${c.idleHook}, K + ${c.idleHook} + 2r + p]`, `E <= S + few`].join('; '),
  },
  {
    id: 'GS-DW-26',
    level: 'MUST',
    statement: 'SIGTERM reaches the engine only after its hook has returned, and then at once.',
    source: tabled(tables.timeline),
    formula: 'S in [R, R + follows]',
  },
  {
    id: 'GS-DW-27',
    level: 'MUST',
    statement: 'While work keeps the replica busy, no SIGTERM comes before G - 5.',
    source: said(77, 'ff806f674a46fbb6b24c3f1deb138cc658d420f68329f6a21a3193b25a597c62', tables.timeline),
    formula: `x > G - ${c.exitReserve}: S >= D + G - ${c.exitReserve}`,
  },
  {
    id: 'GS-DW-28',
    level: 'MUST',
    statement: 'The hook starts no gauge read at or after G - 5.',
    source: tabled(tables.timeline),
    formula: `read < K + G - ${c.exitReserve} + p`,
  },
  {
    id: 'GS-DW-29',
    level: 'MUST',
    statement: "The kubelet starts the engine container's hook at the delete.",
    source: tabled(tables.timeline),
    formula: 'K in [D, D + starts]',
  },
  {
    id: 'GS-DW-32',
    level: 'MUST',
    statement:
      'The same request that is cut at a small G completes at a larger one, if it ends before the larger G - 5.',
    source: said(23, '15b029797d9e6ab2f0312f5c2788c6fc0c8265166ce2314f130c6dd9066e2978'),
    formula: `x < D + G - ${c.exitReserve}: S >= x`,
  },
]);
