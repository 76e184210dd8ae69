// The vocabulary of the parity suite: an experiment is a short list of steps, and what its steps answer is compared
// between two clusters, field by field.

/** What earlier steps of the experiment answered, by the label of the step. @throws Error where there is no such step */
export type Recall = (label: string) => Answered;

/** An answer as far as bodies of later requests need it. */
export interface Answered {
  metadata: Record<string, string>;
  [field: string]: unknown;
}

/** Data, or data that needs an earlier answer. `{ns}`, `{image}` and `{node}` in its texts are filled in. */
export type Body = object | undefined;
export type LateBody = (recall: Recall) => unknown;

/** What most steps can say. */
interface Common {
  /** Name by which later steps recall the answer. Default: method and path. */
  label?: string | undefined;
  /** Dotted paths of the answer's body that are compared. Default: all of it but `metadata.managedFields`. */
  keep?: readonly string[] | undefined;
  /** Nothing of the answer is compared; it must be a success. */
  quiet?: boolean | undefined;
}

export interface RequestStep extends Common {
  do: 'request';
  method: string;
  /** `pods/a` in the experiment's namespace, `apps/v1:deployments/a` in another group, or a path that begins with `/`. */
  path: string;
  body?: Body;
  late?: LateBody | undefined;
  /** Content type of the body. Default: `application/json`. */
  type?: string | undefined;
  accept?: string | undefined;
  /** A body that is no JSON. */
  raw?: string | undefined;
}

/** Waits until an object matches: every field that `match` names has that value; the text `gone` waits for its absence. */
export interface UntilStep extends Common {
  do: 'until';
  path: string;
  match: Match;
  /** Documented seconds to wait at most. Default 25. */
  atMost?: number | undefined;
}

/** A part of an object. In a list, each entry must match some entry of the object's list. */
export type Match = string | number | boolean | null | Match[] | { [field: string]: Match };

/** Remembers every different state of an object or a collection from here on. */
export interface TraceStep {
  do: 'trace';
  label: string;
  path: string;
  keep: readonly string[];
}

/** What a trace has seen so far, without repetitions. */
export interface TracedStep {
  do: 'traced';
  label: string;
}

/** Reads a watch until `count` lines have come, it is closed, or `atMost` documented seconds have passed. */
export interface WatchStep extends Common {
  do: 'watch';
  path: string;
  query: Record<string, string>;
  lateQuery?: ((recall: Recall) => Record<string, string>) | undefined;
  count: number;
  atMost?: number | undefined;
}

export interface ExecStep extends Common {
  do: 'exec';
  pod: string;
  container?: string | undefined;
  command: readonly string[];
}

/** Waits until an object has events of these reasons, and tells all that it has. */
export interface EventsStep {
  do: 'events';
  name: string;
  reasons: readonly string[];
  /** Only these reasons are compared; default: all. */
  only?: readonly string[] | undefined;
  atMost?: number | undefined;
}

/** Documented seconds between the ends of two steps. */
export interface ElapsedStep {
  do: 'elapsed';
  from: string;
  to: string;
  /** By how many seconds two clusters may differ. */
  within: number;
}

/** Whole seconds between two time fields of the answer of an earlier step. */
export interface SpanStep {
  do: 'span';
  of: string;
  from: string;
  to: string;
  within: number;
}

/** Waits, where the promise is that nothing happens. Documented seconds. */
export interface RestStep {
  do: 'rest';
  seconds: number;
}

export type Step =
  | RequestStep
  | UntilStep
  | TraceStep
  | TracedStep
  | WatchStep
  | ExecStep
  | EventsStep
  | ElapsedStep
  | SpanStep
  | RestStep;

export interface Experiment {
  /** `AREA.NAME`; the area names its file of recordings. */
  id: string;
  steps: readonly Step[];
  /** Runs by itself, after the others: it looks at all Nodes, say. */
  alone?: boolean;
  /** Absolute paths of cluster-scoped objects that it makes; they are deleted before and after it. */
  makes?: readonly string[];
}
