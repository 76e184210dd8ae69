import type { Decision } from '../history/manifest.ts';
import type { TimeScale } from '../time/scale.ts';
import { evidence } from './facts/mark.ts';
import type { CaseFacts, Facts } from './facts/facts.ts';
import type { Instant, PodFacts } from './facts/pod.ts';
import type { Evidence, Finding } from './verdict.ts';

/** What a rule is given: the facts, the decision, and the cases that it names. */
export interface RuleInput {
  facts: Facts;
  decision: Decision;
  cases: CaseFacts[];
  given: Record<string, unknown>;
}

/** Decides one requirement; pure. */
export type Rule = (input: RuleInput) => Finding[];

/** One departing Pod of a case. */
export interface PodCase extends Omit<RuleInput, 'cases'> {
  case: CaseFacts;
  pod: PodFacts;
  scale: TimeScale;
}

/**
 * Thrown where a rule cannot decide: a precondition that the history does not show, or a fact that it lacks. No Error:
 * it is a common answer, and a stack would cost more than the rule.
 */
class Undecided {
  readonly seen: string;
  readonly wouldDecide: string;
  readonly marks: Instant['marks'];

  constructor(seen: string, wouldDecide: string, marks: Instant['marks']) {
    this.seen = seen;
    this.wouldDecide = wouldDecide;
    this.marks = marks;
  }
}

/** Ends the rule without a decision. */
export function undecided(seen: string, wouldDecide: string, marks: Instant['marks'] = []): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- see Undecided
  throw new Undecided(seen, wouldDecide, marks);
}

/** `value`, or the end of the rule without a decision. */
export function need<T>(value: T | undefined, seen: string, wouldDecide: string): T {
  return value === undefined ? undecided(seen, wouldDecide) : value;
}

/** Ends the rule without a decision unless `met`. */
export function demand(met: boolean, seen: string, wouldDecide: string, marks: Instant['marks'] = []): asserts met {
  if (!met) undecided(seen, wouldDecide, marks);
}

/** At most so many events stand in a finding: the nearest ones, by line. */
const EVIDENCE = 8;

export function evidenceOf(...lists: (Instant | { marks: Instant['marks'] } | undefined)[]): Evidence[] {
  const seen = new Set<number>();
  return lists
    .flatMap((list) => list?.marks ?? [])
    .filter(({ mark }) => !seen.has(mark.event.seq) && seen.add(mark.event.seq))
    .slice(0, EVIDENCE)
    .map(({ mark, what }) => evidence(mark, what));
}

/** Runs `rule`, whose end without a decision becomes an inconclusive finding. */
export function decide(formula: string, rule: () => Finding | Finding[]): Finding[] {
  try {
    return [rule()].flat();
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    const { seen, wouldDecide, marks } = error;
    return [{ outcome: 'inconclusive', formula, seen, evidence: evidenceOf({ marks }), wouldDecide }];
  }
}

/** A rule that looks at each Pod of each case by itself. */
export const eachPod =
  (formula: string, rule: (of: PodCase) => Finding | Finding[]): Rule =>
  ({ facts, decision, cases, given }) => {
    if (cases.length === 0) {
      return decide(formula, () => undecided('the decision names no case', 'a scenario that names the departing Pod'));
    }
    return cases.flatMap((one) => {
      const found =
        one.pods.length === 0
          ? decide(formula, () =>
              undecided(`no Pod of case ${one.name} is bound or leaves`, 'the case.bound event, or a Pod that leaves'),
            )
          : one.pods.flatMap((pod) =>
              decide(formula, () => rule({ facts, decision, given, case: one, pod, scale: facts.scale })),
            );
      return found.map((finding) => ({ ...finding, case: one.name }));
    });
  };

/** Fields of `given`, typed; what is not there is undefined. */
export const given = {
  text: (of: Record<string, unknown>, key: string) => (typeof of[key] === 'string' ? of[key] : undefined),
  number: (of: Record<string, unknown>, key: string) => (typeof of[key] === 'number' ? of[key] : undefined),
  record: (of: Record<string, unknown>, key: string) =>
    typeof of[key] === 'object' && of[key] !== null ? (of[key] as Record<string, unknown>) : {},
};
