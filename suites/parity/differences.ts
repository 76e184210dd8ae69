/** A difference between the embedded cluster and a real one that must stay. `*` in a pattern stands for anything. */
export interface Difference {
  /** Ids of experiments. */
  experiment: string;
  /** Where in their answers: the number and name of the step, then the path of the field. */
  at: string;
  /** What the real cluster says there, where only that is meant. */
  real?: string;
  /** What the embedded one says there, where only that is meant. */
  embedded?: string;
  /** Why it must stay. */
  reason: string;
}

/** All of them. One that nothing shows any more fails the suite. */
export const differences: readonly Difference[] = [];
