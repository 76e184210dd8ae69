import type { Case } from '../../src/history/manifest.ts';
import type { DynamoDeploy, Scenario } from '../../src/scenario/scenario.ts';
import type { ComponentInput, GraphInput } from '../../src/systems/dynamo/types.ts';

export { decide } from '../gpustack/drain-window/scenario.ts';

/** A scenario of one of the document's sections. */
export const scenarioOf =
  (section: string) =>
  (s: Omit<Scenario, 'document' | 'section'>): Scenario => ({ document: 'dynamo', section, ...s });

export const graphs = (...deployments: GraphInput[]): DynamoDeploy => ({ kind: 'dynamo', deployments });

export const worker = (name: string, more: Partial<ComponentInput> = {}): ComponentInput => ({
  name,
  type: 'worker',
  replicas: 1,
  ...more,
});

export const frontend = (name: string, more: Partial<ComponentInput> = {}): ComponentInput => ({
  name,
  type: 'frontend',
  replicas: 1,
  ...more,
});

/** The one Pod of a component. */
export const pod = (deployment: string, role: string, lastWorkEnds: number): Case => ({
  deployment,
  role,
  index: 0,
  lastWorkEnds,
});
