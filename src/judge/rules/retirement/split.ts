import { disaggregationOf } from '../../../engines/disaggregation.ts';
import { holdsIn } from '../../../requirements/holds.ts';
import { tolerances } from '../../../requirements/tolerances.ts';
import { toldApart } from '../../difference.ts';
import { secondsFrom } from '../../compare.ts';
import { mainOf } from '../../facts/objects.ts';
import { began, entered } from '../../facts/operation.ts';
import type { PodFacts } from '../../facts/pod.ts';
import { allZero, sumOf } from '../../facts/work.ts';
import { decide, demand, evidenceOf, given, need } from '../../rule.ts';
import type { Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { eachOperation } from './each.ts';
import type { OperationCase } from './each.ts';
import { heldFor, retained, sightMarks } from './held.ts';
import { undeletedUntil } from './reads.ts';

const WAITS = 'delete >= started + G';

/** What the protocol owes a prefill or decode replica: the page of v0.9.2 refuses it, later ones let it wait. */
export function splitReplica(of: OperationCase): Finding {
  return of.facts.profile.split === 'refused' ? heldFor(of, 'split') : waitsForGrace(of);
}

/**
 * From v0.10 on: an idle split replica is deleted through the protocol, and not before its grace window has passed. Whatever
 * that window is counted from, it is not counted from before the operation.
 */
function waitsForGrace(of: OperationCase): Finding {
  const { operation, facts, scale } = of;
  const pod = need(of.targets[0], 'the target is not in the history', 'a watch of Pods');
  const command = mainOf(pod.newest)?.command ?? [];
  demand(
    disaggregationOf(command) !== undefined,
    `main of ${pod.name} is no half of a split pair: ${command.join(' ')}`,
    'a replica whose own command says that it is split',
  );
  const start = began(operation);
  const G = scale.toMs(need(pod.grace, `the grace of ${pod.name} is not known`, 'a watch of Pods'));
  const aborted = entered(operation, 'Aborted');
  const last = operation.sights.at(-1);
  const { D } = pod;
  if (!D && aborted && holdsIn(last?.reason ?? '').includes('split')) {
    return {
      outcome: 'fail',
      formula: WAITS,
      seen: `${pod.name} is refused to the end, as by v0.9.2: ${last?.reason}`,
      evidence: evidenceOf(start, aborted),
    };
  }
  demand(
    D !== undefined,
    `${pod.name} was not deleted: ${last?.state}, ${last?.reason}`,
    'a window that goes on until the protocol lets the replica go',
    sightMarks(last ? [last] : []),
  );
  const seen = `${pod.name} (G = ${pod.grace} s) deleted ${secondsFrom(facts, start.at, D.at[1])} after the operation began`;
  const evidence = evidenceOf(start, entered(operation, 'Draining'), D);
  if (D.at[1] < start.at[0] + G) return { outcome: 'fail', formula: WAITS, seen: `${seen}, too early`, evidence };
  demand(
    Math.max(D.at[0], undeletedUntil(of, pod) ?? -Infinity) >= start.at[1] + G,
    `${seen}: whether that was before its grace window had passed cannot be told`,
    'a watch without a gap around the delete',
    D.marks,
  );
  // Where the withdrawal alone took that long, the window may never have been waited for.
  const draining = entered(operation, 'Draining');
  demand(
    draining !== undefined && draining.at[1] + scale.toMs(tolerances.requeue.value) < start.at[0] + G,
    `${seen}, and came to Draining too late to tell its window from the rest`,
    'an operation that comes to Draining 5 s before the window is over',
    draining?.marks,
  );
  demand(idleThrough(pod, start.at[1], start.at[0] + G), `${pod.name} was not known to be idle`, 'an idle replica');
  return { outcome: 'pass', formula: WAITS, seen, evidence };
}

/** Nothing but the window kept it: it had no work from the beginning of the operation on. */
function idleThrough(pod: PodFacts, from: number, to: number): boolean {
  const within = pod.samples.filter((sample) => sample.at[0] > from && sample.at[1] < to);
  return within.some(allZero) && within.every((sample) => (sumOf(sample) ?? 0) === 0);
}

/** RP-26: to the end of the operation where it is refused. */
function ofSplit(of: OperationCase): Finding[] {
  const formula = of.facts.profile.split === 'refused' ? 'held, reason split' : WAITS;
  return [
    ...decide(formula, () => splitReplica(of)).map((f) =>
      byTransferAlone(of) ? toldApart(f, 'vllm-split-by-flags-alone') : f,
    ),
    ...(given.text(of.given, 'toEnd') === 'yes' ? decide('Aborted, and everything retained', () => retained(of)) : []),
  ];
}

/** A split vLLM that only its KV transfer tells: the code, as it was read, looks for data-parallel balance flags. */
const byTransferAlone = ({ targets }: OperationCase): boolean =>
  targets.some(({ newest }) => {
    const found = disaggregationOf(mainOf(newest)?.command ?? []);
    return found?.engine === 'vLLM' && found.shape === 'Transfer';
  });

/** RP-27: as RP-26, of a role that the spec has dropped. */
function withoutRole(of: OperationCase): Finding[] {
  const { operation } = of;
  const gone = operation.sights.every((s) => s.object.spec.roles.every((r) => r.name !== operation.role));
  demand(gone, `the role ${operation.role} is still in the spec`, 'an operation on a role that the spec has dropped');
  return ofSplit(of);
}

/** Prefill and decode replicas. */
export const retirementSplit: Readonly<Record<string, Rule>> = {
  'GS-RP-26': eachOperation('held, reason split', ofSplit),
  'GS-RP-27': eachOperation('held, reason split', withoutRole),
};
