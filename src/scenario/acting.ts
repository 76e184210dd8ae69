import type { KubeObject } from '../cluster/rest.ts';
import type { Actions } from '../cluster/actions.ts';
import type { Bound } from './bind.ts';
import type { Environment } from './environment.ts';
import type { Live } from './live.ts';

/** What a step needs to be done. */
export interface Acting {
  env: Environment;
  live: Live;
  /** The Pod of a case, waited for where it comes in another's place. */
  podOf(name: string): Promise<KubeObject>;
  bound: Bound;
  actions: Actions;
  /** Labels of everything that this run owns. */
  labels: Record<string, string>;
  problem(where: string, message: string): void;
  /** Does `work` after everything that was begun before it on the same target has ended. */
  inTurn<T>(target: string, work: () => Promise<T>): Promise<T>;
}

/** A queue for each target. */
export function turns(): Acting['inTurn'] {
  const last = new Map<string, Promise<unknown>>();
  return (target, work) => {
    const mine = (last.get(target) ?? Promise.resolve()).then(work, work);
    last.set(target, mine);
    return mine;
  };
}
