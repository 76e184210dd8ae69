import { BUNDLE_FORMAT, type Manifest } from '../history/manifest.ts';
import { dynamoFacts } from '../engines/dynamo/facts.ts';
import { clockOrigin } from '../time/clock.ts';
import type { Environment } from './environment.ts';
import type { Decision } from '../history/manifest.ts';
import type { Scenario } from './scenario.ts';

const decisionsOf = (scenario: Scenario, { real = [] }: Environment) =>
  real.length === 0 ? scenario.decides : decidedOnReal(scenario);

/** What a scenario decides where real programs stand for the doubles. */
export const decidedOnReal = ({ decides, onDoubles = {} }: Pick<Scenario, 'decides' | 'onDoubles'>): Decision[] =>
  decides.filter(
    ({ requirement, part }) => !(requirement in onDoubles) && !(part && `${requirement} ${part}` in onDoubles),
  );

/** The manifest of a scenario's bundle as it stands at the start. */
export const manifestOf = (scenario: Scenario, env: Environment): Manifest => ({
  format: BUNDLE_FORMAT,
  tool: { name: 'quiesce', version: env.tool.version, node: process.version },
  scenario: {
    id: scenario.id,
    title: scenario.title,
    document: scenario.document,
    section: scenario.section,
    cases: scenario.cases,
    decides: decisionsOf(scenario, env),
  },
  target: env.target,
  ...(env.real?.length ? { real: [...env.real] } : {}),
  ...(env.unsupported?.length ? { unsupported: [...env.unsupported] } : {}),
  ...(env.sameClock ? { sameClock: true } : {}),
  versions: {
    ...(scenario.deploy.kind === 'dynamo'
      ? { dynamo: dynamoFacts.version }
      : { operator: scenario.deploy.operator ?? env.profile.release }),
    ...(env.serving ? { model: env.serving.model } : {}),
    ...(env.kubernetes === undefined ? {} : { kubernetes: env.kubernetes }),
  },
  ...(scenario.document === 'gpustack' ? { profile: env.profile.name } : {}),
  namespace: env.namespace,
  timeScale: env.scale.factor,
  seed: env.seed,
  faults: [...env.faults],
  startedAt: new Date(clockOrigin()).toISOString(),
  hashes: {},
});
