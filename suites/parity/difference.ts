/** A difference between the embedded cluster and a real one. `*` in a pattern stands for anything. */
export interface Difference {
  /** Ids of experiments. */
  experiment: string;
  /** Where in their answers: the number and name of the step, then the path of the field. */
  at: string;
  /** Why it is there. */
  reason: string;
  /** It need not stay: the embedded cluster is to be corrected. Absent: it must stay. */
  open?: true;
}

/** Places by experiment that share a reason. */
export type Places = Record<string, readonly string[]>;

/** The differences of some places. */
export const listed = (reason: string, places: Places, open?: true): Difference[] =>
  Object.entries(places).flatMap(([experiment, ats]) =>
    ats.map((at) => ({ experiment, at, reason, ...(open ? { open } : {}) })),
  );
