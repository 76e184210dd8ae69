import { tolerances } from '../../requirements/tolerances.ts';
import type { CollectedAction } from '../facts/collected.ts';
import { podsOfRole } from '../facts/facts.ts';
import type { CaseFacts, Facts } from '../facts/facts.ts';
import { NEVER } from '../facts/mark.ts';
import type { Instant, PodFacts } from '../facts/pod.ts';
import { requestsOn } from '../facts/work.ts';
import { decide, evidenceOf, given, need, demand } from '../rule.ts';
import type { Rule, RuleInput } from '../rule.ts';
import type { Finding } from '../verdict.ts';
import { oneAfterTheOther } from './one-at-a-time.ts';

const HOOK_RELEASE = 'upgrade-operator';

/** A rule on each case: the role that it names. */
const eachRole =
  (formula: string, rule: (input: RuleInput, role: CaseFacts) => Finding | Finding[]): Rule =>
  (input) =>
    input.cases.flatMap((role) => decide(formula, () => rule(input, role)).map((f) => ({ ...f, case: role.name })));

/** An action that was accepted. @throws Undecided */
function accepted(facts: Facts, id: string): CollectedAction & { sent: NonNullable<CollectedAction['sent']> } {
  const action = facts.all.actions.get(id);
  const { sent, answered } = action ?? {};
  demand(
    action !== undefined && sent !== undefined && answered !== undefined && answered.data.status < 300,
    `the action ${id} is not known to be accepted`,
    'action.sent and action.answered of it',
  );
  return { ...action, sent };
}

/**
 * Old and new Pods of a role around an instant, and when the looking ended.
 * @throws Undecided where a Pod may be of either kind, as after a stall that hid its birth
 */
function aroundOf(facts: Facts, role: CaseFacts, from: number) {
  const all = podsOfRole(facts, role.deployment, role.role);
  const window = need(facts.all.windowEnded, 'the end of the window is not in the history', 'window.ended');
  const either = all.find((p) => p.created.at[0] < from && p.created.at[1] > from);
  demand(
    either === undefined,
    `whether ${either?.name} was born before the action or after it is not known`,
    'its first sight, without a stall or a gap of the watch between it and the action',
  );
  return {
    old: all.filter((p) => p.created.at[0] < from),
    fresh: all.filter((p) => p.created.at[0] >= from),
    end: window.at[0],
  };
}

const marksOf = (pods: readonly PodFacts[]): Instant['marks'] =>
  pods.flatMap((p) => [
    ...(p.leaving ? [{ mark: p.leaving, what: `${p.name} has a deletionTimestamp` }] : []),
    ...(p.gone ? [{ mark: p.gone, what: `${p.name} is gone` }] : []),
  ]);

/** From when on the newest operator surely was at work: until then, that nothing happens tells of its start alone. */
function atWorkFrom({ all }: Facts, upgrade: number): number {
  const restarts = [...all.actions.values()].filter(({ id }) => id.startsWith('restart-operator'));
  const operatorStarts = tolerances.operatorStarts.value * 1000;
  return Math.max(upgrade, ...restarts.map(({ sent, proved }) => proved?.at[1] ?? sent?.at[1] ?? 0)) + operatorStarts;
}

/** Every old Pod gone once, as many new ones born, none of those gone again. `atWork`: whoever does nothing then, ignores it. */
function turnedOverOnce(
  facts: Facts,
  role: CaseFacts,
  from: number,
  atWork: number,
  quiet: number,
): { finding: Finding; old: PodFacts[]; fresh: PodFacts[] } {
  const { old, fresh, end } = aroundOf(facts, role, from);
  const formula = 'each old UID gone once, each new one born once, nobody else changed';
  demand(
    old.length > 0,
    `no Pod of role ${role.role} is known from before the action`,
    'a watch of Pods from before it',
  );
  const leftBy = (p: PodFacts) => p.D !== undefined && p.D.at[1] <= end;
  const again = fresh.filter(leftBy);
  const staying = old.filter((p) => p.D === undefined);
  const unborn = old.length - fresh.length;
  const seen = `${old.length} old Pods, ${old.length - staying.length} left; ${fresh.length} new, ${again.length} of them left again`;
  const finding: Finding = {
    outcome: 'pass',
    formula,
    seen,
    evidence: evidenceOf(
      { marks: marksOf([...again, ...old]) },
      { marks: fresh.map((p) => ({ mark: p.created, what: `${p.name} is born` })) },
    ),
  };
  if (again.length > 0 || fresh.length > old.length) return { finding: { ...finding, outcome: 'fail' }, old, fresh };
  const settled = Math.max(from, ...fresh.map((p) => p.ready?.at[1] ?? NEVER), ...old.map((p) => p.gone?.at[1] ?? 0));
  const longEnough = end - settled >= facts.scale.toMs(quiet) - facts.scale.toMs(0.5);
  if (staying.length > 0) {
    // Nothing happens for the whole time although it was due: others would have left by now.
    const waited =
      end - Math.max(atWork, ...old.map((p) => p.gone?.at[1] ?? 0)) - facts.widener.stalledBetween(atWork, end);
    const ignored = waited > facts.scale.toMs(tolerances.requeue.value + quiet) && staying.length === old.length;
    const wouldDecide = 'a window that goes on until the role has turned over';
    return {
      finding: ignored ? { ...finding, outcome: 'fail' } : { ...finding, outcome: 'inconclusive', wouldDecide },
      old,
      fresh,
    };
  }
  if (unborn > 0 || old.some((p) => !p.gone) || !longEnough) {
    const wouldDecide = `the removal of every old Pod, the birth of every new one, and ${quiet} s of quiet after it`;
    return { finding: { ...finding, outcome: 'inconclusive', wouldDecide }, old, fresh };
  }
  return { finding, old, fresh };
}

/** DW-23: the release that adds hook and grace turns each replica over once. */
function upgradeTurnsOnce({ facts, given: g }: RuleInput, role: CaseFacts): Finding {
  const action = accepted(facts, given.text(g, 'edit') ?? HOOK_RELEASE);
  demand(action.proved !== undefined, 'the new release is not known to be ready', 'action.proved of the upgrade');
  const { finding, old, fresh } = turnedOverOnce(
    facts,
    role,
    action.sent.at[0],
    atWorkFrom(facts, action.proved.at[1]),
    given.number(g, 'quiet') ?? 5,
  );
  demand(
    old.every((p) => !p.hook),
    'old Pods have a hook already',
    'a release without the drain window',
  );
  const without = fresh.filter((p) => !p.hook);
  if (without.length > 0)
    return { ...finding, outcome: 'fail', seen: `${finding.seen}; ${without.length} new Pods have no hook` };
  return finding;
}

/** DW-24: a changed grace turns the role over, and no other; each Pod leaves with the grace that it was created with. */
function graceEdit({ facts, given: g }: RuleInput, role: CaseFacts): Finding[] {
  const action = accepted(facts, need(given.text(g, 'edit'), 'the decision names no edit', 'given.edit'));
  const was = need(given.number(g, 'was'), 'the decision names no former grace', 'given.was');
  const nextId = given.text(g, 'next');
  const next = nextId === undefined ? undefined : facts.all.actions.get(nextId)?.sent?.at[0];
  demand(nextId === undefined || next !== undefined, `the action ${nextId} is not in the history`, 'action.sent of it');
  const from = action.sent.at[0];
  const { finding, old, fresh } = turnedOverOnce(facts, role, from, from, given.number(g, 'quiet') ?? 2);
  const formula = `each Pod that leaves has G = ${was}, every other role stays`;
  const base = { formula, evidence: evidenceOf({ marks: marksOf(old) }) };
  const wrong = old.filter(
    (p) =>
      p.leaving &&
      (p.leaving.object.metadata.deletionGracePeriodSeconds ?? was) !== was &&
      p.leaving.object.metadata.deletionGracePeriodSeconds !== 0,
  );
  const changed = old.filter((p) => p.sightings.some((s) => s.object.spec.terminationGracePeriodSeconds !== was));
  const untold = old.filter(
    (p) => p.D !== undefined && (p.leaving?.object.metadata.deletionGracePeriodSeconds ?? 0) === 0,
  );
  const others = facts.pods.filter(
    (p) =>
      p.deployment === role.deployment &&
      p.role !== '' &&
      p.role !== role.role &&
      p.D &&
      p.D.at[1] > from &&
      p.D.at[1] < (next ?? NEVER),
  );
  const seen = `left with ${old.map((p) => p.leaving?.object.metadata.deletionGracePeriodSeconds ?? '?').join(', ')} s; new Pods have ${fresh.map((p) => p.grace).join(', ')} s; ${others.length} Pods of other roles left`;
  if (wrong.length > 0 || changed.length > 0 || others.length > 0) {
    return [
      finding,
      { ...base, seen, outcome: 'fail', evidence: evidenceOf({ marks: marksOf([...wrong, ...others, ...changed]) }) },
    ];
  }
  const to = given.number(g, 'to');
  const unchanged = fresh.filter((p) => (to === undefined ? p.grace === was : p.grace !== to));
  if (unchanged.length > 0) return [finding, { ...base, seen, outcome: 'fail' }];
  if (untold.length > 0)
    return [
      finding,
      { ...base, seen, outcome: 'inconclusive', wouldDecide: 'the first sight of the Pod with its deletionTimestamp' },
    ];
  return [finding, { ...base, seen, outcome: 'pass' }];
}

/** DW-25: 30 written on a role that set none turns nothing over. */
function sameValue({ facts, given: g }: RuleInput, role: CaseFacts): Finding {
  const edit = accepted(facts, need(given.text(g, 'edit'), 'the decision names no edit', 'given.edit'));
  const next = accepted(facts, need(given.text(g, 'next'), 'the decision names no later edit', 'given.next'));
  const [from, to] = [edit.sent.at[0], next.sent.at[0]];
  const { old } = aroundOf(facts, role, from);
  demand(old.length > 0, `no Pod of role ${role.role} is known from before the edit`, 'a watch of Pods from before it');
  demand(to - from >= facts.scale.toMs(3), 'the later edit follows within 3 s', 'a later edit after 3 s at least');
  // A delete that is first seen after the edit was sent: its lower bound may lie before that by the lag of the watch.
  const early = old.filter((p) => p.D && p.D.at[1] > from && p.D.at[1] < to);
  const late = old.filter((p) => p.D && p.D.at[1] >= to);
  const seen = `${early.length} Pods of ${role.role} leave between the edit and the next one, ${late.length} after that`;
  const base = {
    formula: 'no Pod leaves for an edit that renders the same Pod',
    seen,
    evidence: evidenceOf({
      marks: [{ mark: edit.sent, what: 'the edit' }, { mark: next.sent, what: 'the later edit' }, ...marksOf(old)],
    }),
  };
  if (early.length > 0) return { ...base, outcome: 'fail' };
  demand(
    late.length === old.length,
    `${seen}: the operator is not known to have been at work`,
    'a later edit that turns the role over',
    base.evidence.length > 0 ? marksOf(old) : [],
  );
  return { ...base, outcome: 'pass' };
}

/** DW-15: the old replicas of a role leave one at a time. */
function oneAtATime({ facts, given: g }: RuleInput, role: CaseFacts): Finding[] {
  const atLeast = given.number(g, 'atLeast') ?? 3;
  demand(
    role.pods.length >= atLeast,
    `${role.pods.length} Pods of role ${role.role} leave`,
    `a rollout of ${atLeast} replicas`,
  );
  const idle = role.pods.filter((p) => {
    const { D } = p;
    return (
      D &&
      !requestsOn(p, facts.requests).some((q) => q.sent && q.sent.at[1] < D.at[0] && (q.over?.[0] ?? NEVER) > D.at[1])
    );
  });
  // Two that leave at once break it whether they work or not; only the pass needs a drain that takes its time.
  const pairs = oneAfterTheOther(facts, role.pods);
  if (pairs.some((f) => f.outcome === 'fail')) return pairs.filter((f) => f.outcome === 'fail');
  demand(
    idle.length === 0,
    `${idle.map((p) => p.name).join(', ')} had no request open at the delete`,
    'replicas that are all busy',
    marksOf(idle),
  );
  return pairs;
}

export const turnover: Record<string, Rule> = {
  'GS-DW-15': eachRole('delete(n + 1) >= gone(n)', oneAtATime),
  'GS-DW-23': eachRole('each old UID gone once, each new one born once', upgradeTurnsOnce),
  'GS-DW-24': eachRole('the edited role turns over once, with its old grace, and no other', graceEdit),
  'GS-DW-25': eachRole('no Pod leaves for an edit that renders the same Pod', sameValue),
};
