import { tolerances } from '../../../requirements/tolerances.ts';
import { secondsFrom } from '../../compare.ts';
import { toldApart } from '../../difference.ts';
import { condition, labels } from '../../facts/objects.ts';
import type { ObjectFields } from '../../facts/objects.ts';
import type { Mark } from '../../facts/mark.ts';
import { began, entered } from '../../facts/operation.ts';
import { demand, evidenceOf, need } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import type { OperationCase } from './each.ts';
import { looksAt } from './there.ts';

const FORMULA = 'after Aborted: in endpoint selection again';

const eligible = ({ metadata }: ObjectFields) => metadata.labels?.[labels.eligible] === 'true';

/** What an aborted operation retains goes on serving: a healthy replica is in endpoint selection again, as it was before. */
export function qualifiesAgain(of: OperationCase): Finding {
  const { facts, operation, targets, scale } = of;
  const aborted = need(
    entered(operation, 'Aborted'),
    'the operation did not abort',
    'a window that goes on until it does',
  );
  const start = began(operation);
  const settled = aborted.at[1] + scale.toMs(2 * tolerances.requeue.value);
  const members = targets.map((pod) => {
    const all = [...pod.sightings.filter((s) => s.type !== 'deleted'), ...looksAt(facts, pod.uid)];
    const last = all.reduce((a, b) => (a.at[0] >= b.at[0] ? a : b));
    return { pod, last, before: all.some((s) => s.at[0] < start.at[1] && eligible(s.object)) };
  });
  demand(
    members.length > 0 && members.every(({ before }) => before),
    `no member of ${operation.role} ${operation.ordinal} is known to have been in selection before`,
    'the label of eligibility on each member before the operation',
  );
  demand(
    members.every(({ last }) => last.at[0] > aborted.at[1] && condition(last.object, 'Ready')?.status === 'True'),
    `the members of ${operation.role} ${operation.ordinal} are not known to be Ready after Aborted`,
    'a read of each healthy member at the end of the window',
    aborted.marks,
  );
  const out = members.filter(({ last }) => !eligible(last.object));
  const evidence = evidenceOf(aborted, {
    marks: members.map(({ last, pod }) => ({
      mark: last,
      what: `${pod.name} ${eligible(last.object) ? 'is' : 'is not'} eligible`,
    })),
  });
  const since = members.map(({ last }) => secondsFrom(facts, aborted.at, last.at[0])).at(-1);
  if (out.length === 0) {
    const seen = `${members.length} members retained and in selection again ${since} after Aborted`;
    return toldApart({ outcome: 'pass', formula: FORMULA, seen, evidence }, 'aborted-stays-ineligible');
  }
  const late = ({ at }: Mark) => at[0] > settled + facts.widener.stalledBetween(aborted.at[1], at[0]);
  demand(
    out.every(({ last }) => late(last)),
    'the last read comes too soon after Aborted',
    'a read 10 s after it',
  );
  const seen = `${out.map(({ pod }) => pod.name).join(', ')} Ready, and out of endpoint selection ${since} after Aborted`;
  return toldApart({ outcome: 'fail', formula: FORMULA, seen, evidence }, 'aborted-stays-ineligible');
}
