import type { ProfileName } from '../src/requirements/profiles.ts';
import type { Scenario } from '../src/scenario/scenario.ts';
import { dynamoBackends } from './dynamo/backends/index.ts';
import { dynamoFrontend } from './dynamo/frontend/index.ts';
import { dynamoKubernetes } from './dynamo/kubernetes/index.ts';
import { dynamoOpen, dynamoWorker } from './dynamo/worker/index.ts';
import { drainWindow } from './gpustack/drain-window/index.ts';
import { engineExit } from './gpustack/engine-exit/index.ts';
import { limitations } from './gpustack/limitations/index.ts';
import { kills, retirement } from './gpustack/retirement/index.ts';

/** Every scenario of every suite that runs where nothing is selected. */
export const scenarios: readonly Scenario[] = [
  ...retirement,
  ...engineExit,
  ...drainWindow,
  ...limitations,
  ...dynamoWorker,
  ...dynamoFrontend,
  ...dynamoBackends,
  ...dynamoKubernetes,
];

/** What runs only where its id or its tag asks for it. */
export const onRequest: readonly Scenario[] = [...kills, ...dynamoOpen];

/** Those of a profile: what other profiles alone have is left out, since a scenario of this one decides the same. */
export const scenariosOf = (profile: ProfileName, from: readonly Scenario[] = scenarios): readonly Scenario[] =>
  from.filter(({ profiles }) => profiles === undefined || profiles.includes(profile));

export const scenarioById = (id: string): Scenario | undefined => [...scenarios, ...onRequest].find((s) => s.id === id);
