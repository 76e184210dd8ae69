import { retirement as p } from '../../../requirements/retirement.ts';
import { tolerances } from '../../../requirements/tolerances.ts';
import { secondsFrom, stallsPast } from '../../compare.ts';
import { began, entered } from '../../facts/operation.ts';
import type { Instant } from '../../facts/pod.ts';
import { evidenceOf, need } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import type { OperationCase } from './each.ts';
import { lastDeployment } from './there.ts';

/** A held operation ends as Aborted when its budget has passed, with everything retained. */
export function abortsInTime(of: OperationCase, seconds: number, from: Instant, formula: string): Finding {
  const { operation, facts, scale } = of;
  const aborted = entered(operation, 'Aborted');
  const due = [from.at[0] + scale.toMs(seconds), from.at[1] + scale.toMs(seconds)] as const;
  const q = scale.toMs(tolerances.requeue.value);
  // The budget ends at an instant: only stalls about it make the end of the operation late, not those of minutes before.
  const tooLate = (at: number) => at > due[1] + 3 * q + stallsPast(facts, due[1], [at, at]);
  const last = lastDeployment(facts, operation.deployment);
  const seen = `Aborted ${aborted ? secondsFrom(facts, from.at, aborted.at[1]) : 'never'} after ${from.marks[0]?.what ?? 'the beginning'}; the budget is ${seconds} s`;
  const evidence = evidenceOf(from, aborted, last && { marks: [{ mark: last, what: 'last seen' }] });
  const base = { formula, seen, evidence };
  if (!aborted) {
    const state = last?.object.status?.retirement?.state;
    const late = last !== undefined && state !== undefined && state !== 'Aborted' && tooLate(last.at[0]);
    if (late)
      return {
        ...base,
        outcome: 'fail',
        seen: `${seen}; still ${state} at ${secondsFrom(facts, from.at, last.at[0])}`,
      };
    return { ...base, outcome: 'inconclusive', wouldDecide: 'a window that goes on until the operation ends' };
  }
  // Stamps of a second: the operation may count from up to a second before it was written, and that was before it was seen.
  const written = tolerances.written.value * 1000;
  const soonest = due[0] - scale.toMs(1) - written;
  if (aborted.at[1] < soonest - written - scale.toMs(tolerances.late.value))
    return { ...base, outcome: 'fail', seen: `${seen}, too early` };
  if (tooLate(aborted.at[0])) return { ...base, outcome: 'fail', seen: `${seen}, too late` };
  if (aborted.at[0] >= soonest && aborted.at[1] <= due[1] + q) return { ...base, outcome: 'pass' };
  return { ...base, outcome: 'inconclusive', wouldDecide: 'the change of the state in a watch without a gap' };
}

/** The budgets of a held drain: its own, and the total. */
export function drainBudgets(of: OperationCase): Finding {
  const { operation, scale } = of;
  const draining = need(
    entered(operation, 'Draining'),
    `${operation.deployment} was never seen draining`,
    'an operation that comes to read its members',
  );
  const start = began(operation);
  const fromDraining = draining.at[0] + scale.toMs(p.drainBudget);
  const fromStart = start.at[0] + scale.toMs(p.total);
  return fromDraining <= fromStart
    ? abortsInTime(of, p.drainBudget, draining, 'aborted in [draining + 240 - 1 - written, draining + 240 + q]')
    : abortsInTime(of, p.total, start, 'aborted in [started + 300 - 1 - written, started + 300 + q]');
}
