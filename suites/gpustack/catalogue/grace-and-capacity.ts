import { said, rows } from './page.ts';
import { grace } from '../../../src/requirements/drain-window.ts';

/** The grace as it is written, admitted and changed, and what a departing replica still holds. */
export const graceAndCapacity = rows('Drain window', [
  {
    id: 'GS-DW-02',
    level: 'MUST',
    statement:
      "`roles[].terminationGracePeriodSeconds` is written to the Pod's field of that name, and unset gives an explicit 30, on every role whose command the operator builds.",
    source: said(17, '5a627f2bce373e4290150e255d91d422e58609b63fe24ffba3f34449d71cf4f2'),
  },
  {
    id: 'GS-DW-03',
    level: 'MUST',
    statement:
      'Admission accepts a whole number from 15 to 3600, both ends included, and an absent field; it refuses 14, 3601, 0 and -1. A refused write changes nothing.',
    source: said(19, 'f5edc5289aeb61301430685e0af49904ad5bfc00980c19abb807c39c0b1b4caf'),
    formula: `${grace.lowest} <= G <= ${grace.highest}`,
  },
  {
    id: 'GS-DW-14',
    level: 'MUST',
    statement:
      'A busy replica keeps its accelerators and its quota until its engine has exited, for every cause of delete, at most until G.',
    source: said(23, '4ad16112e37c4ad6b386eae530bcdb144efd86438bcd2cfba5e8c03b505b5016'),
    needs: ['accelerator', 'quota'],
    formula: 'bound in [E, min(E, K + G + kill) + release]',
  },
  {
    id: 'GS-DW-15',
    level: 'MUST',
    statement:
      'A rollout deletes the old replicas of a role one at a time: the next delete of that role comes only when the Pods of the former are gone. (That roles do not wait for each other stands on the status page alone: reported, never failed.)',
    source: said(15, 'a551db7c81eb2b9b2bb9b6db43a390622afced29b3afeb7967bc9026b1901f47'),
    formula: 'delete(n + 1) >= gone(n)',
  },
  {
    id: 'GS-DW-23',
    level: 'MUST',
    statement:
      'Moving to the release that adds hook and grace turns every existing replica whose command the operator builds over exactly once.',
    source: said(33, '50eeea329415ebd84e5cf7231d4cceff0db765b3aa0a0390c1a61ab101ec69ce'),
    needs: ['operator:two-releases'],
  },
  {
    id: 'GS-DW-24',
    level: 'MUST',
    statement:
      "Changing a role's grace to another effective value turns that role's replicas over, each once and no other role's, and each one that leaves in that rollout leaves with the grace it was created with.",
    source: said(35, 'cccdd880fbf0290fe5fbd96bae824318b286f95f0937c2bf299343d46e8a0820'),
  },
  {
    id: 'GS-DW-25',
    level: 'MUST',
    statement: 'Writing 30 on a role that set none turns nothing over, on a role whose command the operator builds.',
    source: said(35, '95e87faa672bc67dfbb79ccc1f6ca22849b80cf6f48171dbcc45e40cc8f9be92'),
  },
  {
    id: 'GS-DW-31',
    level: 'MUST',
    statement:
      'A replica that is idle but whose engine is slow to stop after SIGTERM holds its accelerators and quota until the engine ends, at most until G.',
    source: said(23, '4ad16112e37c4ad6b386eae530bcdb144efd86438bcd2cfba5e8c03b505b5016'),
    needs: ['accelerator', 'quota'],
    formula: 'bound in [E, min(E, K + G + kill) + release]',
  },
]);
