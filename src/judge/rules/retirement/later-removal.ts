import { holdsIn } from '../../../requirements/holds.ts';
import { tolerances } from '../../../requirements/tolerances.ts';
import { secondsFrom } from '../../compare.ts';
import { toldApart } from '../../difference.ts';
import { began, entered, operationsOf } from '../../facts/operation.ts';
import { decide, demand, evidenceOf, given, need } from '../../rule.ts';
import type { Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { lastDeployment } from './there.ts';

const FORMULA = 'a later removal of the same deployment begins though one was aborted';

/** The parts of RP-25 that are about one deployment, by what the first of its operations was aborted for. */
export const laterParts = ['after an abort', 'after a crash loop'] as const;
type LaterPart = (typeof laterParts)[number];

export const isLater = (part: string | undefined): part is LaterPart => laterParts.includes(part as LaterPart);

/** RP-25, in the reading that the page and the code differ on: an aborted operation keeps no later one from beginning. */
export const laterRemoval: Rule = (input) =>
  decide(FORMULA, () => {
    const crashed = input.decision.part === 'after a crash loop';
    return toldApart(begins(input, crashed), crashed ? 'crash-loop-blocks-removals' : 'aborted-blocks-removals');
  });

function begins({ facts, cases, given: asked }: Parameters<Rule>[0], crashed: boolean): Finding {
  const deployment = cases[0]?.deployment ?? '';
  const all = operationsOf(facts, deployment);
  const first = need(
    all.find((operation) => entered(operation, 'Aborted')),
    `no operation of ${deployment} was aborted`,
    'a removal that ends as Aborted',
  );
  const aborted = need(entered(first, 'Aborted'), '-', '-');
  const reason = first.sights.findLast((s) => s.state === 'Aborted')?.reason ?? '';
  demand(
    holdsIn(reason).includes('restarted') === crashed,
    `the operation of ${deployment} was aborted for: ${reason}`,
    crashed ? 'a replica whose container restarted' : 'a replica that was aborted for another reason than restarts',
    aborted.marks,
  );
  const edit = facts.all.actions.get(given.text(asked, 'edit') ?? '')?.answered;
  demand(edit !== undefined && edit.data.status < 300, 'no later removal was asked for', 'given.edit: its action');
  const next = all.find((o) => o !== first && (o.role !== first.role || o.ordinal !== first.ordinal));
  const evidence = evidenceOf(aborted, { marks: [{ mark: edit, what: 'the later edit is accepted' }] });
  const from = Math.max(aborted.at[1], edit.at[1]);
  const since = (at: number) => secondsFrom(facts, [from, from], at);
  if (next) {
    const start = began(next);
    demand(start.at[1] > aborted.at[0], `the operation on ${next.role} ${next.ordinal} began before`, 'a later one');
    const seen = `the removal of ${next.role} ${next.ordinal} begins ${since(start.at[1])} after that of ${first.role} ${first.ordinal} was aborted and the later edit accepted`;
    return { outcome: 'pass', formula: FORMULA, seen, evidence: [...evidence, ...evidenceOf(start)] };
  }
  const last = lastDeployment(facts, deployment);
  const state = last?.object.status?.retirement?.state;
  const stalls = last ? facts.widener.stalledBetween(from, last.at[0]) : 0;
  const patience = facts.scale.toMs(2 * tolerances.requeue.value) + stalls;
  demand(
    last !== undefined && state === 'Aborted' && last.at[0] > from + patience,
    `no other operation of ${deployment} is in the history, which ends ${last ? since(last.at[0]) : '-'} after the later edit`,
    'a read of the ModelDeployment 10 s after the later edit',
    aborted.marks,
  );
  const seen = `no removal begins in ${since(last.at[0])} after that of ${first.role} ${first.ordinal} was aborted and the later edit accepted; it is still ${state}: ${reason}`;
  return {
    outcome: 'fail',
    formula: FORMULA,
    seen,
    evidence: [...evidence, ...evidenceOf({ marks: [{ mark: last, what: `still ${state}` }] })],
  };
}
