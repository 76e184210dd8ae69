import { operationsOf, targetsOf } from '../../facts/operation.ts';
import type { Operation } from '../../facts/operation.ts';
import type { PodFacts } from '../../facts/pod.ts';
import { decide, given, undecided } from '../../rule.ts';
import type { Rule, RuleInput } from '../../rule.ts';
import type { CaseFacts } from '../../facts/facts.ts';
import type { TimeScale } from '../../../time/scale.ts';
import type { Finding } from '../../verdict.ts';

/** One operation of a case. */
export interface OperationCase extends Omit<RuleInput, 'cases'> {
  case: CaseFacts;
  operation: Operation;
  /** The Pods that it names, as far as the history knows them. */
  targets: PodFacts[];
  scale: TimeScale;
}

/** A rule for each operation on a replica of a case's role. A case without one is no pass. */
export const eachOperation =
  (formula: string, rule: (of: OperationCase) => Finding | Finding[]): Rule =>
  ({ facts, decision, cases, given }) =>
    cases.flatMap((one) => {
      const operations = operationsOf(facts, one.deployment).filter((o) => o.role === one.role);
      const found =
        operations.length === 0
          ? decide(formula, () =>
              undecided(
                `status.retirement of ${one.deployment} never named a replica of ${one.role}`,
                'a watch of ModelDeployments without a gap, and an operator with the retirement protocol',
              ),
            )
          : operations.flatMap((operation) =>
              decide(formula, () =>
                rule({
                  facts,
                  decision,
                  given,
                  case: one,
                  operation,
                  targets: targetsOf(facts, operation),
                  scale: facts.scale,
                }),
              ),
            );
      return found.map((finding) => ({ ...finding, case: one.name }));
    });

/** How long a hold must have been watched to count, in documented seconds: `given.hold`, else twice the hook's settle time. */
export const holdOf = (of: { given: Record<string, unknown> }): number => given.number(of.given, 'hold') ?? 10;
