/** A column of a Table, as `kubectl get` reads it. Columns of priority above 0 show with `-o wide`. */
export interface Column {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
  /** How a custom kind's cell is found; built-in kinds compute theirs. */
  jsonPath?: string;
}
