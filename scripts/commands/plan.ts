import { plainTable } from '../../reports/plain-table.ts';
import { gpuMinutes, MODEL_LOAD, runSeconds, wallSeconds, withinBudget } from '../../src/scenario/estimate.ts';
import { unsupportedReasons, type Ability } from '../../src/scenario/abilities.ts';
import { rolesOf } from '../../src/scenario/roles.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { inProfile } from '../../src/requirements/in-profile.ts';
import { DEFAULT_PROFILE } from '../../src/requirements/profiles.ts';
import { catalogue, requirement } from '../../suites/catalogue.ts';
import { exitCodes } from '../exit-codes.ts';
import { chosenProfile, profileLine } from '../profile.ts';
import { selectScenarios } from '../select.ts';
import { UsageError } from '../usage-error.ts';
import { DEFAULT_WORKERS } from './run.ts';

export interface PlanOptions {
  tag: string[];
  profile: string;
  /** Seconds of the wall. */
  budget?: number;
  timeScale: number;
  /** Leave out what needs our doubles, or a Node of our own. */
  realEngines?: boolean;
  workers?: number;
  json?: boolean;
}

const each = (values: (string | number | undefined)[]): string => [...new Set(values.map((v) => v ?? '-'))].join(', ');

/** What a cluster of either age gives with real engines, and nothing of ours. */
const ONLY_ENGINES: Ability[] = ['engines', 'kubernetes<1.29', 'kubernetes>=1.29'];

const nothingLeft = (profile: string) =>
  new UsageError(
    'none of these scenarios can be tried so',
    `scenarios whose requirements ${profile} has and, with --real-engines, that need no double`,
    'quiesce plan without a selection shows all',
  );

/** What a scenario is made of: a row of the matrix. */
const made = (scenario: Scenario) => {
  const graces = each(rolesOf(scenario).map(({ grace }) => grace ?? 'unset'));
  const { deploy } = scenario;
  if (deploy.kind === 'dynamo') {
    const types = deploy.deployments.flatMap((d) => d.components.map(({ type }) => type));
    return { engines: 'vLLM', routers: 'dynamo', topologies: each(types), graces };
  }
  const { deployments } = deploy;
  return {
    engines: each(deployments.map((d) => d.engine ?? 'vLLM')),
    routers: each(deployments.map((d) => (d.router ? (d.router.name ?? 'vllm-router') : 'none'))),
    topologies: each(
      deployments
        .flatMap((d) => d.roles)
        .map(({ kind = 'Server', size = 1 }) => (size > 1 ? `${size} Pods` : kind === 'Server' ? 'one Pod' : 'split')),
    ),
    graces,
  };
};

/** `quiesce plan`: what a run would do and cost, before anything runs. */
export function planCommand(selection: string[], options: PlanOptions): number {
  const { budget, timeScale, workers = DEFAULT_WORKERS } = options;
  const profile = chosenProfile(options.profile);
  const holds = (id: string) => inProfile(requirement(id), profile).holds;
  // What decides nothing under this profile would deploy nothing.
  const all = selectScenarios(selection, options.tag, profile.name)
    .filter((s) => s.decides.some((d) => holds(d.requirement)))
    .filter((s) => !options.realEngines || unsupportedReasons(s, [], ONLY_ENGINES).length === 0);
  if (all.length === 0) throw nothingLeft(profile.name);
  const chosen = budget === undefined ? all : withinBudget(all, budget, timeScale, workers);
  if (chosen.length === 0) {
    const [cheapest] = all.toSorted((a, b) => wallSeconds(a, timeScale) - wallSeconds(b, timeScale));
    throw new UsageError(
      `no scenario fits into ${budget} s`,
      `a budget of ${Math.ceil(runSeconds(cheapest ? [cheapest] : [], timeScale, workers))} s at least`,
      'quiesce plan shows what each takes',
    );
  }
  const rows = chosen.map((s) => ({
    scenario: s.id,
    ...made(s),
    wallSeconds: Math.round(wallSeconds(s, timeScale)),
    gpuMinutes: Math.round(gpuMinutes(s)),
    requirements: [...new Set(s.decides.map((d) => d.requirement))].filter(holds),
  }));
  const ids = new Set(rows.flatMap((r) => r.requirements));
  const total = {
    scenarios: rows.length,
    requirements: ids.size,
    wallSeconds: Math.ceil(runSeconds(chosen, timeScale, workers)),
    gpuMinutes: rows.reduce((sum, r) => sum + r.gpuMinutes, 0),
  };
  if (options.json) {
    console.log(JSON.stringify({ profile: profile.name, ...total, plan: rows }, null, 2));
    return exitCodes.pass;
  }
  const head = ['scenario', 'engine', 'router', 'topology', 'G', 'wall', 'GPU min', 'decides'];
  const cells = rows.map((r) => [
    r.scenario,
    r.engines,
    r.routers,
    r.topologies,
    r.graces,
    `${r.wallSeconds} s`,
    r.gpuMinutes,
    r.requirements.join(' '),
  ]);
  const name = 2 + Math.max(8, ...rows.map((r) => r.scenario.length));
  console.log(plainTable(head, [name, 10, 16, 11, 10, 7, 9, 'rest'], cells));
  console.log(
    `${total.scenarios} scenarios decide ${total.requirements} of ${catalogue.length} requirements in about ${total.wallSeconds} s ` +
      `(time scale ${timeScale}, ${workers} side by side, one sample each)`,
  );
  console.log(profileLine(profile));
  console.log(`on a real cluster: about ${total.gpuMinutes} GPU minutes, with ${MODEL_LOAD} s for a model to load`);
  if (budget !== undefined) {
    const under = profile.name === DEFAULT_PROFILE ? '' : `--profile ${profile.name} `;
    console.log(`next: npx quiesce run ${under}${rows.map((r) => r.scenario).join(' ')}`);
  }
  return exitCodes.pass;
}
