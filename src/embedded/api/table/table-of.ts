import type { KubeObject } from '../../../cluster/rest.ts';

/** How a built-in kind is shown. */
export interface TableOf {
  /** Names of columns: `_` stands for a space, `:type` says its type, `*` shows it only with `-o wide`. */
  columns: string;
  /** One cell for each column. `now`: milliseconds since 1970. */
  cells(object: KubeObject, now: number): (string | number | boolean | null)[];
}
