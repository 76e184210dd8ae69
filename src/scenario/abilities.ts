import type { Scenario } from './scenario.ts';

/** What a target can give beside the Kubernetes API; the embedded cluster has all of it. */
export const abilities = {
  doubles: "the doubles of operator, router and engine stand for their images' names",
  'own-node': 'a Node of our own for each scenario, with as many accelerators as it says',
  faults: 'faults of the doubles are switched on by an annotation of the namespace',
} as const;

export type Ability = keyof typeof abilities;

export const everyAbility = Object.keys(abilities) as Ability[];

/** What a scenario with these faults needs of its target, with the reason. */
function needsOf(scenario: Scenario, faults: readonly string[]): [Ability, string][] {
  const counts = scenario.act.find((step) => step.do === 'preempt' || step.do === 'create-waiting-pod');
  const needs: [Ability, string | undefined][] = [
    ['doubles', 'it deploys quiesce/tiny, a model that only our engines serve'],
    ['own-node', counts && `"${counts.do}" needs a Node whose accelerators are all taken`],
    ['own-node', scenario.deploy.accelerators === undefined ? undefined : 'it counts accelerators'],
    ['faults', faults.length > 0 ? `it runs with the fault ${faults.join(', ')}` : undefined],
  ];
  return needs.flatMap(([ability, why]) => (why === undefined ? [] : [[ability, why] as [Ability, string]]));
}

/** Why a scenario cannot be tried on a target that has only these abilities; empty where it can. */
export const unsupportedReasons = (scenario: Scenario, faults: readonly string[], has: readonly Ability[]): string[] =>
  needsOf(scenario, faults)
    .filter(([ability]) => !has.includes(ability))
    .map(([ability, why]) => `the target lacks "${ability}" (${abilities[ability]}): ${why}`);
