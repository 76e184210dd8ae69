import type { BackendName } from '../../engines/dynamo/backends.ts';
import type { Seconds } from '../../time/scale.ts';

/** Kinds of component that the operator renders and that have a double. */
export type ComponentType = 'frontend' | 'worker' | 'prefill' | 'decode';

/** A component of a graph as a scenario states it, plain data. */
export interface ComponentInput {
  name: string;
  type: ComponentType;
  replicas: number;
  /** What a worker runs; default vLLM. */
  runs?: BackendName | 'router';
  /** What a worker serves; default `quiesce/tiny`. */
  model?: string;
  /** Default: that of the operator. */
  terminationGracePeriodSeconds?: Seconds;
  extraArgs?: string[];
  env?: Record<string, string>;
  /** A frontend alone: it learns nothing more once it knows so many instances, as a router that has not heard yet. */
  frozenAt?: number;
}

/** A DynamoGraphDeployment, plain data. */
export interface GraphInput {
  name: string;
  components: ComponentInput[];
}
