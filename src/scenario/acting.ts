import type { KubeObject } from '../cluster/rest.ts';
import type { Bound } from './bind.ts';
import type { Environment } from './environment.ts';
import type { Live } from './live.ts';

/** What an action was answered. */
export interface Answer {
  /** HTTP status; 0 where no answer came. */
  status: number;
  object?: KubeObject | undefined;
}

/** The harness's writes, each recorded with its answer; a refusal by the API server is an answer, not an error. */
export interface Actions {
  create(id: string, object: KubeObject): Promise<Answer>;
  /** JSON patch. */
  patch(id: string, target: string, path: string, operations: object[]): Promise<Answer>;
  /** Deletes with the object's own grace and its UID as precondition. */
  remove(id: string, object: KubeObject): Promise<Answer>;
  evict(id: string, pod: KubeObject): Promise<Answer>;
  read(id: string, target: string, path: string): Promise<Answer>;
  prove(id: string, proof: string): void;
}

/** What a step needs to be done. */
export interface Acting {
  env: Environment;
  live: Live;
  bound: Bound;
  actions: Actions;
  /** Labels of everything that this run owns. */
  labels: Record<string, string>;
  problem(where: string, message: string): void;
}
