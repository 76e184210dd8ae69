import { retirement as p } from '../../../requirements/retirement.ts';
import { holds, holdsIn } from '../../../requirements/holds.ts';
import type { Hold } from '../../../requirements/holds.ts';
import { secondsFrom } from '../../compare.ts';
import { began, entered, operationsOf } from '../../facts/operation.ts';
import { decide, demand, evidenceOf, given, need, undecided } from '../../rule.ts';
import type { Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { eachOperation } from './each.ts';
import type { OperationCase } from './each.ts';
import { abortsInTime, drainBudgets } from './budgets.ts';
import { askedHold, heldFor, heldSights, retained, sightMarks } from './held.ts';
import { allZero } from '../../facts/work.ts';
import { isLater, laterRemoval } from './later-removal.ts';
import { qualifiesAgain } from './qualifies.ts';
import { lastStaying } from './there.ts';

const held = (hold: Hold): Rule => eachOperation(`held, reason ${hold}`, (of) => heldFor(of, hold));
const heldAsAsked: Rule = eachOperation('held, with the reason of the cause', (of) => heldFor(of, askedHold(of)));

/** RP-10: nothing observes the connections through the Service, so the operation holds, and aborts after 30 s. */
function noRouter(of: OperationCase): Finding[] {
  const { operation } = of;
  const declared = operation.sights.some((s) => s.object.spec.router !== undefined);
  demand(!declared, `${operation.deployment} declares a router`, 'a deployment without spec.router');
  const named = operation.sights.filter((s) => holdsIn(s.reason).includes('noRouter'));
  const start = began(operation);
  const formula = 'aborted in [started + 30 - 1 - written, started + 30 + q]';
  const lost = of.targets.find((t) => t.D !== undefined);
  if (lost) {
    const seen = `${lost.name} deleted ${secondsFrom(of.facts, start.at, lost.D?.at[1] ?? 0)} after the operation began, without a router: ${operation.sights.at(-1)?.reason}`;
    return [{ outcome: 'fail', formula, seen, evidence: evidenceOf(start, lost.D) }];
  }
  return [
    ...decide(formula, () => {
      const found = abortsInTime(of, p.withdrawBudget, start, formula);
      if (found.outcome !== 'pass') return found;
      demand(
        named.length > 0,
        `no reason of ${operation.deployment} speaks of the missing router: ${operation.sights.at(-1)?.reason}`,
        'a reason that names it: another cause may have aborted the operation',
      );
      return { ...found, evidence: [...found.evidence, ...evidenceOf({ marks: sightMarks(named.slice(0, 2)) })] };
    }),
    ...decide('after Aborted: same Pods, same Workload, same quota', () => retained(of)),
    ...decide('after Aborted: in endpoint selection again', () => qualifiesAgain(of)),
  ];
}

/** RP-24: a container that restarted while it is watched is held, and ends as Aborted with everything retained. */
function crashes(of: OperationCase): Finding[] {
  const formula = 'restarted while watched: held, then Aborted';
  // Once another removal has gone through, the operator may begin anew with the replica that it aborted: no restart, no promise.
  const { role, ordinal } = of.operation;
  const first = operationsOf(of.facts, of.operation.deployment).find((o) => o.role === role && o.ordinal === ordinal);
  if (first !== of.operation) return [];
  return [
    ...decide(formula, () => {
      requireRestart(of);
      return heldFor(of, 'restarted');
    }),
    ...decide(formula, () => drainBudgets(of)),
    ...decide('after Aborted: same Pods, same Workload, same quota', () => retained(of)),
  ];
}

/** A restart of `main` that came after the operation began: the operator may not count an earlier one. */
function requireRestart({ operation, targets }: OperationCase): number {
  const start = began(operation);
  const restarts = (s: (typeof targets)[number]['sightings'][number]) =>
    s.object.status?.containerStatuses?.find((c) => c.name === 'main')?.restartCount ?? 0;
  const at = targets.flatMap((t) => {
    const before = t.sightings.filter((s) => s.at[1] <= start.at[0]).at(-1);
    const after = t.sightings.find((s) => s.at[0] > start.at[1] && restarts(s) > (before ? restarts(before) : 0));
    return before && after ? [after.at[1]] : [];
  });
  return need(
    at[0],
    `no container of ${operation.role} ${operation.ordinal} is known to have restarted during the operation`,
    'a restart of main after the operation began',
  );
}

/** RP-35: one restart, then idle and Ready again: still held. */
function restartedOnce(of: OperationCase): Finding {
  const restarted = requireRestart(of);
  const { targets, scale } = of;
  const healthy = targets.flatMap((t) => t.samples.filter((s) => s.at[0] > restarted && allZero(s)));
  const finding = heldFor(of, 'restarted');
  if (finding.outcome !== 'pass') return finding;
  const first = healthy[0];
  demand(
    first !== undefined && targets.every((t) => (lastStaying(of.facts, t)?.at[0] ?? 0) > first.at[1] + scale.toMs(5)),
    `${of.operation.role} ${of.operation.ordinal} is not known to be idle and answering after its restart`,
    'reads of its gauges after the restart, and 5 s more',
  );
  return finding;
}

/** RP-20: every cause has a reason of its own, and it names the cause. Cases: a deployment a cause. */
const ownReasons: Rule = ({ facts, cases, given: asked }) =>
  decide('the reasons differ, and each names its cause', () => {
    const causes = given.record(asked, 'reasons');
    const found = cases.map((one) => {
      const operation = operationsOf(facts, one.deployment).find((o) => o.role === one.role);
      const of = { operation, facts } as unknown as OperationCase;
      const sight = operation && heldSights(of).findLast((s) => s.state === 'Draining');
      return { one, sight, hold: given.text(causes, one.name) ?? '' };
    });
    const missing = found.filter((f) => !f.sight);
    const marks = found.flatMap((f) => (f.sight ? [{ mark: f.sight, what: f.sight.reason }] : []));
    const plain = (text: string) => text.replace(/\d+/g, 'N').replace(/\b(?:member|chat|pod)\b\S*\s?\S+/g, 'M');
    const seen = found.map((f) => `${f.one.name}: ${f.sight?.reason ?? '-'}`).join('; ');
    const reasons = found.flatMap((f) => (f.sight ? [plain(f.sight.reason)] : []));
    const formula = 'the reasons differ, and each names its cause';
    if (missing.length === 0 && new Set(reasons).size === 1)
      return { outcome: 'fail', formula, seen: `one reason for all: ${seen}`, evidence: evidenceOf({ marks }) };
    demand(
      missing.length === 0,
      `${missing.map((f) => f.one.name).join(', ')} had no operation that came to Draining`,
      'an operation of each case that reads its members',
      marks,
    );
    const unread = found.filter((f) => f.hold !== 'unread' && f.sight && holds.unread.test(f.sight.reason));
    demand(
      unread.length === 0,
      `the read of ${unread.map((f) => f.one.name).join(', ')} came to no end: ${unread[0]?.sight?.reason}`,
      'a read that tells of its member',
      marks,
    );
    const wrong = found.filter((f) => f.sight && !(holds as Record<string, RegExp>)[f.hold]?.test(f.sight.reason));
    if (wrong.length > 0)
      return {
        outcome: 'fail',
        formula,
        seen: `not named: ${wrong.map((f) => f.one.name).join(', ')}; ${seen}`,
        evidence: evidenceOf({ marks }),
      };
    demand(found.length > 1, 'one cause only', 'two causes at least');
    return { outcome: 'pass', formula, seen, evidence: evidenceOf({ marks }) };
  });

/** RP-25: a held or aborted operation keeps no other deployment's from its end. */
const othersGoOn: Rule = ({ facts, cases }) =>
  decide('another operation begins and ends while one is held', () => {
    const [stuck, free] = cases;
    const operation = stuck && operationsOf(facts, stuck.deployment)[0];
    const other = free && operationsOf(facts, free.deployment)[0];
    const formula = 'another operation begins and ends while one is held';
    if (!stuck || !free || !operation)
      return undecided(`no operation is held in ${stuck?.deployment ?? '-'}`, 'both operations');
    const from = entered(operation, 'Draining') ?? began(operation);
    const window = facts.all.windowEnded?.at[0] ?? 0;
    const asked = [...facts.all.actions.values()].find(
      (a) =>
        a.sent?.target === `ModelDeployment/${facts.manifest.namespace}/${free.deployment}` &&
        a.answered &&
        a.answered.data.status < 300,
    );
    if (!other) {
      const waited = asked?.answered ? window - asked.answered.at[1] : 0;
      demand(
        waited > facts.scale.toMs(p.withdrawBudget),
        `no operation of ${free.deployment} is in the history`,
        'both operations',
      );
      return {
        outcome: 'fail',
        formula,
        seen: `${free.deployment} was asked to retire a replica and did not begin in ${facts.scale.toSeconds(waited).toFixed(0)} s while ${stuck.deployment} is held`,
        evidence: evidenceOf(from, asked?.answered && { marks: [{ mark: asked.answered, what: 'edit answered' }] }),
      };
    }
    const start = began(other);
    demand(
      start.at[0] >= from.at[1],
      `the operation of ${free.deployment} began before that of ${stuck.deployment} was held`,
      'a later removal',
    );
    const end = other.after;
    const seen = `${free.deployment} begins ${secondsFrom(facts, from.at, start.at[1])} after ${stuck.deployment} is held and ${end ? `ends ${secondsFrom(facts, from.at, end.at[1])}` : `is last seen ${other.sights.at(-1)?.state}`}`;
    const evidence = evidenceOf(from, start, end && { marks: [{ mark: end, what: 'status.retirement cleared' }] });
    if (!end)
      return { outcome: 'inconclusive', formula, seen, evidence, wouldDecide: 'a window that goes on until it ends' };
    const over = operation.after === undefined || operation.after.at[0] > end.at[1];
    demand(over, `the operation of ${stuck.deployment} ended before`, 'an operation that is still held');
    return { outcome: 'pass', formula, seen, evidence };
  });

/** Operations that hold, refuse or abort. */
export const retirementOutcomes: Readonly<Record<string, Rule>> = {
  'GS-RP-10': eachOperation('aborted in [started + 30 - 1 - written, started + 30 + q]', noRouter),
  'GS-RP-15': held('working'),
  'GS-RP-20': ownReasons,
  'GS-RP-21': held('working'),
  'GS-RP-22': held('incomplete'),
  'GS-RP-23': heldAsAsked,
  'GS-RP-24': eachOperation('restarted while watched: held, then Aborted', crashes),
  'GS-RP-25': (input) => (isLater(input.decision.part) ? laterRemoval(input) : othersGoOn(input)),
  'GS-RP-28': held('takeOver'),
  'GS-RP-29': held('unlisted'),
  'GS-RP-35': eachOperation('restarted once: held', restartedOnce),
  'GS-RP-36': eachOperation('aborted in [draining + 240 - 1 - written, draining + 240 + q]', drainBudgets),
  'GS-LM-10': heldAsAsked,
};
