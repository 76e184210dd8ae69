/** The part of the system that a fault is in. */
export type Faulty =
  | 'drain-hook'
  | 'gpustack-operator'
  | 'api-server'
  | 'kubelet'
  | 'scheduler'
  /** Whichever router the deployment names. */
  | 'router'
  | 'llm-d-router'
  | 'sglang-gateway'
  /** Whichever engine the deployment names. */
  | 'engine'
  /** Either one of the next two. */
  | 'dynamo'
  | 'dynamo-worker'
  | 'dynamo-frontend'
  | 'dynamo-operator';

/** A switch that makes a double break a promise. */
export interface Fault {
  /** What switches it on, in a Namespace's annotation and in `--fault`. */
  name: string;
  double: Faulty;
  /** What the double then does. Times are documented seconds from the delete; G is the grace. */
  does: string;
  /** Every requirement that it can break; which of them it must break in a scenario, the scenario says. */
  breaks: readonly string[];
  /** Faults that it switches on together, in place of one of its own. */
  of?: readonly string[];
  /** Where something of the kind is known from the field. */
  seenInField?: string;
  /** For the API server: a JSON patch on the OpenAPI schema of a CRD, by its plural name, instead of a switch in a process. */
  schemaPatch?: Readonly<Record<string, readonly object[]>>;
}
