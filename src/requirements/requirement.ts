export type Document = 'gpustack' | 'dynamo';

/**
 * MUST: promised. SHOULD: supported by a companion page only. MEASURED: the document reports a measurement.
 * LIMITATION: the document admits a loss; conformance is that loss and no more. DERIVED: our inference, never a fail alone.
 */
export type Level = 'MUST' | 'SHOULD' | 'MEASURED' | 'LIMITATION' | 'DERIVED';

/** Where a statement stands. */
export interface Source {
  /** The published page, such as `GPUStack operator v0.9.2, Model Deployment Shutdown`. */
  page: string;
  /** Lines of the saved text; absent where the statement stands only in a table that the saved text lost. */
  lines?: readonly [first: number, last: number];
  /** SHA-256 of the source sentence, white space folded; absent like `lines`. */
  sentence?: string;
  /** The table and commit that carry it, where the saved text lost it. */
  table?: string;
}

/** One documented statement that a black box can check. */
export interface Requirement {
  id: string;
  document: Document;
  section: string;
  level: Level;
  /** The statement in our own words, as corrected by the review. */
  statement: string;
  source: Source;
  /** Versions of the documented system for which it holds, oldest first, or `all`. */
  versions: readonly string[] | 'all';
  /** Why it does not hold in the others, where it does not hold in all. */
  outside?: string;
  /** How later ones of its versions say it, where they say it otherwise: a rule of its own judges it there. */
  later?: { versions: readonly string[]; statement: string; formula?: string };
  /** Features that must be there, such as `router:vllm-router` or `accelerator`. */
  needs: readonly string[];
  /** Bound in symbols, such as `S in [x + 1, x + 2 + 3r + g + p]`; absent where only an order or an equality is asked. */
  formula?: string;
  /** Names of the tolerances that the bound uses. */
  tolerances?: readonly string[];
  /** The half of the statement that is not decided yet, in words. */
  open?: string;
}
