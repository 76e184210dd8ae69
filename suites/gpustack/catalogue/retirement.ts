import { said, rows, splitWaits } from './page.ts';
import { retirement as p } from '../../../src/requirements/retirement.ts';

/** Which removals go through the retirement protocol, and what holds while one does. */
export const retirement = rows('Retirement protocol', [
  {
    id: 'GS-RP-01',
    level: 'MUST',
    statement:
      'A lower `replicas` withdraws and drains the replica first; its Pod is deleted only when withdrawal and drain are done (the protocol still runs after the delete).',
    source: said(39, '2f0e5eeb3443d7df0f097692a9c0f73e6818d2a2dd23fbdf8ccfa6dfe3527579'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-02',
    level: 'MUST',
    statement: 'A shed of surplus replicas goes through the protocol.',
    source: said(39, '172927dfe295a866e4ab8c9a91bc5ba131d2ad1b7356ec4f9a3751f4985a0081'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-03',
    level: 'MUST',
    statement: 'A replica of a role that the spec has dropped goes through the protocol.',
    source: said(39, '172927dfe295a866e4ab8c9a91bc5ba131d2ad1b7356ec4f9a3751f4985a0081'),
    needs: ['router:any', 'write:past-admission'],
  },
  {
    id: 'GS-RP-04',
    level: 'MUST',
    statement:
      '`status.retirement` shows the progress; until the delete the replica stays in place and is still counted (`status.roles[].ready`, `quotaReserved`, `roleSummary`).',
    source: said(39, 'ecdc24a64e3c885bed83851fc9aa1bc84d767e43b0aa5befdf5380bd02638143'),
  },
  {
    id: 'GS-RP-05',
    level: 'MUST',
    statement: 'A rollout, a node drain, a preemption and a `kubectl delete pod` do not go through the protocol.',
    source: said(13, 'aa2802c5f71547ffe47998f6354aec66e0826803b94ecf02464f2e2b7795e99d'),
  },
  {
    id: 'GS-RP-06',
    level: 'MUST',
    statement:
      'The leaving replica is read as it is deployed: one created with `command` is still held, and one created as prefill or decode still refused, when the edit and the removal come together.',
    source: said(15, '3b6ada7377bc9414581ae9b9bf431f54ec11afe76deacad018d3e31d8db6df16'),
    needs: ['router:any'],
    later: {
      versions: splitWaits,
      statement:
        'The leaving replica is read as it is deployed: one created with `command` is still held, and one created as prefill or decode still waits for its grace window, when the edit and the removal come together.',
    },
  },
  {
    id: 'GS-RP-07',
    level: 'MUST',
    statement:
      'With llm-d-router, withdrawal also waits for recent dispatches reported for a target member, after the router has removed it from selection.',
    source: said(41, 'f26afff1a858d866eaf91c696649a47c8f4184e483c6b5f9a704b47f0ea6bb42'),
    needs: ['router:llm-d-router'],
  },
  {
    id: 'GS-RP-08',
    level: 'MUST',
    statement: 'Those records do not raise the serving count (`status.roles[].endpoints.serving.value`).',
    source: said(41, '401dce8ad52493356e0177ea90db7117263d17ecaeed5865651a552baccac8e8'),
    needs: ['router:llm-d-router'],
  },
  {
    id: 'GS-RP-09',
    level: 'MUST',
    statement: 'A dispatch to a survivor does not hold the target.',
    source: said(41, '8587de64842de0aeb6bf286b87f6039a972aed5254f401c2878136677f8eb00a'),
    needs: ['router:llm-d-router'],
  },
  {
    id: 'GS-RP-10',
    level: 'MUST',
    statement:
      'Without `spec.router` a scale-down or a surplus removal of an admitted, running replica is held; 30 s after the operation began it ends as `Aborted`, and Pods, Workload and capacity are the same as before. (A healthy one is in endpoint selection again: said by the specification beside the page.)',
    source: said(43, '6e384566d472d73e10efa8487f367893390ce0aa36b6c2a45301b24c9a224b90'),
    formula: `aborted in [started + ${p.withdrawBudget} - 1 - written, started + ${p.withdrawBudget} + q]`,
  },
  {
    id: 'GS-RP-11',
    level: 'MUST',
    statement:
      "While the replica is held, and after `Aborted`, the operator cuts no connection that was established through the role's Service.",
    source: said(43, 'dbaeee37e79d8828116c2b87630d9b1b80b3128e01299d658c7ae6fc1fefa5e8'),
  },
  {
    id: 'GS-RP-12',
    level: 'MUST',
    statement:
      'A group that never ran, or was never admitted, is not held by that rule and is cleaned up. Two cases, two verdicts.',
    source: said(43, 'ea2d9ef52f4e7e68bfe809aa37c01c693e7bb9f8ea551f366f9b7ca33985255a'),
  },
  {
    id: 'GS-RP-13',
    level: 'MUST',
    statement: 'Every replica that the protocol lets go still spends its drain window, with the G of its own Pod.',
    source: said(45, '01635ff4db5e11676fb0dbb5c8c7edfb32535337c7ba9051a9e8e11efe718ac1'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-31',
    level: 'MUST',
    statement:
      "Before its work is read the target is withdrawn: the router and the role's Service send it no new request, and the survivors go on serving.",
    source: said(39, '2f0e5eeb3443d7df0f097692a9c0f73e6818d2a2dd23fbdf8ccfa6dfe3527579'),
    needs: ['router:any'],
  },
]);
