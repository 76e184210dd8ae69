import { said, splitWaits, tabled, tables, rows } from './page.ts';

/** Replicas that the protocol never lets go. */
export const refusals = rows('Retirement protocol', [
  {
    id: 'GS-RP-26',
    level: 'MUST',
    statement:
      'Refused: a prefill or decode replica (vLLM known by its data-parallel balance flags, SGLang by `--disaggregation-mode prefill` or `decode`); it is never deleted through the protocol. Judged apart for each engine.',
    source: said(67, '62fef9234e3a011bed0ee6d75a94caa11d4c45aaf00e800a3b4a6b7469e36611', tables.refusals),
    needs: ['router:any', 'topology:split'],
    later: {
      versions: splitWaits,
      statement:
        'A prefill or decode replica waits for its grace window: an idle one is deleted through the protocol, no sooner than G after the operation began (from when the window counts is not documented). Judged apart for each engine.',
      formula: 'delete >= started + G',
    },
  },
  {
    id: 'GS-RP-27',
    level: 'MUST',
    statement:
      "The refusal is read from the Pod's own command, so it holds for a replica whose role is gone from the spec.",
    source: said(73, 'd9afda65e014e670076648399eeb4a70a447c8c6c1c98c7c37737699dabc78f9'),
    needs: ['router:any', 'topology:split', 'write:past-admission'],
    later: {
      versions: splitWaits,
      statement:
        "That wait is read from the Pod's own command, so it holds for a replica whose role is gone from the spec.",
      formula: 'delete >= started + G',
    },
  },
  {
    id: 'GS-RP-28',
    level: 'MUST',
    statement: 'Held: a take-over replica.',
    source: said(15, '89a0af3f11393a7550a8b17fb745c8b3cace04c6c92e20ba9ab41f814f867026', tables.refusals),
    needs: ['router:any', 'role:take-over'],
  },
  {
    id: 'GS-RP-29',
    level: 'MUST',
    statement: 'Refused: an engine with no gauge list.',
    source: tabled(tables.refusals),
    needs: ['router:any', 'engine:unlisted'],
  },
]);
