import type { Actions } from '../cluster/actions.ts';
import type { Bound } from './bind.ts';
import type { Environment } from './environment.ts';
import type { Live } from './live.ts';

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
