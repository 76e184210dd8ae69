import { DOUBLES_MODEL } from '../engines/serving.ts';
import { onlyOnDoubles } from './only-doubles.ts';
import type { Scenario } from './scenario.ts';

/** What a target can give beside the Kubernetes API; the embedded cluster has all of it, but real engines. */
export const abilities = {
  doubles: "the doubles of operator, router and engine stand for their images' names",
  engines: 'real engines of a model, with the operator and the routers of the cluster',
  'own-node': 'a Node of our own for each scenario, with as many accelerators as it says',
  faults: 'faults of the doubles are switched on by an annotation of the namespace',
  dynamo: "the resource definition of Dynamo's discovery, and doubles of its parts",
  'control-plane-faults': 'an API server and a scheduler that can be told to break a promise',
  'kubernetes<1.29': 'a Kubernetes below 1.29, which has no native sidecars',
  'kubernetes>=1.29': 'Kubernetes 1.29 or newer, which has native sidecars',
} as const;

export type Ability = keyof typeof abilities;

export const everyAbility = (Object.keys(abilities) as Ability[]).filter((ability) => ability !== 'engines');

/** A fault, as far as a target must know it. */
export interface TriedFault {
  name: string;
  /** The part of the system that it is in. */
  double: string;
}

const CONTROL_PLANE = ['api-server', 'scheduler'];

/** What a scenario with these faults needs of its target, with the reason. */
function needsOf(scenario: Scenario, faults: readonly TriedFault[], has: readonly Ability[]): [Ability, string][] {
  const counts = scenario.act.find((step) => step.do === 'preempt' || step.do === 'create-waiting-pod');
  const kubernetes = kubernetesOf(scenario);
  const needs: [Ability, string | undefined][] = [
    ...(has.includes('engines')
      ? onlyOnDoubles(scenario)
      : [`it deploys ${DOUBLES_MODEL}, a model that only our engines serve`]
    ).map((why): [Ability, string] => ['doubles', why]),
    ['own-node', counts && `"${counts.do}" needs a Node whose accelerators are all taken`],
    ['own-node', countsAccelerators(scenario) ? 'it counts accelerators' : undefined],
    ...(kubernetes === undefined
      ? []
      : [[`kubernetes${kubernetes}`, 'it is about the routing proxy of a direct decoder'] as [Ability, string]]),
    ['dynamo', scenario.deploy.kind === 'dynamo' ? 'it deploys a graph of Dynamo' : undefined],
    ...faults.map(({ name, double }): [Ability, string] => [
      CONTROL_PLANE.includes(double) ? 'control-plane-faults' : 'faults',
      `it runs with the fault ${name}`,
    ]),
  ];
  return needs.flatMap(([ability, why]) => (why === undefined ? [] : [[ability, why] as [Ability, string]]));
}

const kubernetesOf = ({ deploy }: Scenario) => (deploy.kind === 'gpustack' ? deploy.kubernetes : undefined);

/** Whether a scenario is about a Kubernetes without native sidecars: then the embedded cluster is an older one. */
export const needsOlder = (scenario: Scenario): boolean => kubernetesOf(scenario) === '<1.29';

/** Which of the two abilities a cluster has, by the `gitVersion` of its API server. */
export const kubernetesAbility = (gitVersion: string): Ability =>
  Number(/^v1\.(\d+)/.exec(gitVersion)?.[1] ?? Infinity) < 29 ? 'kubernetes<1.29' : 'kubernetes>=1.29';

const countsAccelerators = ({ deploy }: Scenario): boolean =>
  deploy.kind === 'gpustack' && deploy.accelerators !== undefined;

/** Why a scenario cannot be tried on a target that has only these abilities; empty where it can. */
export const unsupportedReasons = (
  scenario: Scenario,
  faults: readonly TriedFault[],
  has: readonly Ability[],
): string[] =>
  needsOf(scenario, faults, has)
    .filter(([ability]) => !has.includes(ability))
    .map(([ability, why]) => `the target lacks "${ability}" (${abilities[ability]}): ${why}`);
