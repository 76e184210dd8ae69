import type { EngineName } from './command.ts';

/** The model that our doubles of engines serve; no real engine has it. */
export const DOUBLES_MODEL = 'quiesce/tiny';

/** Real engines of a cluster, behind the operator that is there: what is deployed in place of what only our doubles serve. */
export interface Serving {
  /** Name of the model, as a ModelDeployment has it. */
  model: string;
  /** Name of the accelerators of the cluster, as a role has it. Default: that of our own Nodes. */
  instanceType?: string | undefined;
  /** Image of an engine, or its version where the operator's API takes versions. Default: those that we have doubles of. */
  releases?: Partial<Record<EngineName, string>> | undefined;
}
