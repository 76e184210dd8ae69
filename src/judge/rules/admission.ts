import { grace } from '../../requirements/drain-window.ts';
import { podsOfRole } from '../facts/facts.ts';
import type { CaseFacts } from '../facts/facts.ts';
import { labels } from '../facts/objects.ts';
import type { PodFacts } from '../facts/pod.ts';
import { decide, evidenceOf, given, need, demand } from '../rule.ts';
import type { Rule, RuleInput } from '../rule.ts';
import type { Finding } from '../verdict.ts';
import { attemptsOf, judgeAttempt } from './attempts.ts';

const seenMark = (pod: PodFacts) => ({ mark: pod.created, what: `${pod.name} has G = ${pod.grace ?? 'none'}` });

/** The Pods of a case: its own, or every Pod of its role. */
const podsOf = ({ facts }: RuleInput, one: CaseFacts) =>
  one.pods.length > 0 ? one.pods : podsOfRole(facts, one.deployment, one.role);

const eachCase =
  (formula: string, rule: (input: RuleInput, one: CaseFacts, pods: PodFacts[]) => Finding | Finding[]): Rule =>
  (input) =>
    input.cases.flatMap((one) =>
      decide(formula, () => {
        const pods = podsOf(input, one);
        demand(pods.length > 0, `no Pod of ${one.name} is in the history`, 'a watch of Pods');
        return rule(input, one, pods);
      }).map((f) => ({ ...f, case: one.name })),
    );

/** DW-02: the role's grace is the Pod's; none gives an explicit 30. */
function writtenToPod(input: RuleInput, one: CaseFacts, pods: PodFacts[]): Finding {
  const asked = given.record(input.given, 'asked');
  demand(
    Object.hasOwn(asked, one.role),
    `the decision does not say which grace role ${one.role} asks for`,
    'given.asked',
  );
  const value = asked[one.role] as number | null;
  const expected = value ?? grace.unset;
  const formula = `terminationGracePeriodSeconds of the Pod = ${expected}`;
  const seen = pods.map((p) => `${p.name}: ${p.grace ?? 'none'}`).join(', ');
  const evidence = evidenceOf({ marks: pods.map(seenMark) });
  if (pods.some((p) => p.grace !== expected)) return { outcome: 'fail', formula, seen, evidence };
  if (value !== null) return { outcome: 'pass', formula, seen, evidence };
  // The API server would write 30 as well: only a Pod rendered the same as one with 30 proves that the operator did.
  const twin = given.text(given.record(input.given, 'twin'), one.role);
  const hash = (p: PodFacts) => p.newest.metadata.annotations?.[labels.specHash];
  const other = twin === undefined ? [] : podsOfRole(input.facts, one.deployment, twin);
  const same = pods.every((p) => hash(p) !== undefined && other.some((q) => hash(q) === hash(p)));
  return {
    outcome: 'pass',
    formula,
    seen,
    evidence,
    ...(same ? {} : { note: "the API server's own default is 30 too; GS-DW-25 proves that 30 is rendered explicitly" }),
  };
}

/** DW-03: 15 to 3600 and absence are accepted, anything else refused, and a refused write changes nothing. */
const range: Rule = (input) => {
  const formula = `${grace.lowest} <= G <= ${grace.highest}, whole; a refused write changes nothing`;
  return decide(formula, () => {
    const attempts = attemptsOf(input);
    demand(attempts.length > 0, 'the decision names no attempts', 'given.attempts');
    const findings = attempts.flatMap((attempt) => decide(formula, () => judgeAttempt(input.facts, attempt)));
    const tried = (expect: string, value: number) => attempts.some((a) => a.expect === expect && a.value === value);
    const missing = [
      ...[grace.lowest, grace.highest].filter((v) => !tried('accepted', v)),
      ...[grace.lowest - 1, grace.highest + 1].filter((v) => !tried('refused', v)),
    ];
    if (missing.length === 0) return findings;
    return [
      ...findings,
      {
        outcome: 'inconclusive',
        formula,
        seen: `${missing.join(', ')} not known to be tried`,
        evidence: [],
        wouldDecide: 'an attempt at both ends of the range, inside and outside',
      },
    ];
  });
};

/** LM-07: a take-over role gets no hook. */
function noHook(_: RuleInput, __: CaseFacts, pods: PodFacts[]): Finding {
  const hooked = pods.filter((p) => p.hook);
  const seen = pods.map((p) => `${p.name}: ${p.hook ? 'a hook' : 'no hook'}`).join(', ');
  return {
    outcome: hooked.length > 0 ? 'fail' : 'pass',
    formula: 'no lifecycle.preStop on main',
    seen,
    evidence: evidenceOf({ marks: pods.map(seenMark) }),
  };
}

/** LM-14 and LM-15: its Pod gets the grace as given, or the default of Kubernetes. */
const takeOverGrace = (input: RuleInput, expected: number, pods: PodFacts[]): Finding => ({
  outcome: pods.every((p) => p.grace === expected) ? 'pass' : 'fail',
  formula: `terminationGracePeriodSeconds of the Pod = ${expected}`,
  seen: pods.map((p) => `${p.name}: ${p.grace ?? 'none'}`).join(', '),
  evidence: evidenceOf({ marks: pods.map(seenMark) }),
});

export const admission: Record<string, Rule> = {
  'GS-DW-02': eachCase('terminationGracePeriodSeconds of the Pod = G', writtenToPod),
  'GS-DW-03': range,
  'GS-LM-07': eachCase('no lifecycle.preStop on main', noHook),
  'GS-LM-14': eachCase('the grace as given', (input, _, pods) =>
    takeOverGrace(input, need(given.number(input.given, 'grace'), 'the decision names no grace', 'given.grace'), pods),
  ),
  'GS-LM-15': eachCase('30, the default of Kubernetes', (input, _, pods) => takeOverGrace(input, grace.unset, pods)),
};
