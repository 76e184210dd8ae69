import type { Interval } from '../time/interval.ts';

/** Six outcomes, never folded into two. */
export const outcomes = ['pass', 'fail', 'inconclusive', 'unsupported', 'skipped', 'harness-error'] as const;
export type Outcome = (typeof outcomes)[number];

/** An event that a verdict rests on. */
export interface Evidence {
  /** Line of history.jsonl, counted from 1. */
  line: number;
  seq: number;
  /** Milliseconds on the history's clock. */
  at: Interval;
  what: string;
}

/** What one rule found in one case. */
export interface Finding {
  outcome: Outcome;
  /** Name of the case, or absent where the rule looks at the whole history. */
  case?: string;
  /** The rule in symbols and with its numbers filled in, such as `S in [x + 1, x + 2 + 3r] = [13.0 s, 14.4 s]`. */
  formula: string;
  /** What was seen, in words, documented seconds. */
  seen: string;
  /** The interval that was compared, in documented seconds from the delete; absent where no time was compared. */
  interval?: Interval;
  evidence: Evidence[];
  /** For inconclusive: what would have decided it. */
  wouldDecide?: string;
  /** A remark that does not change the outcome, such as a value inside the tolerance but past the number. */
  note?: string;
}

/** The verdict on one requirement in one bundle: the worst of its findings. */
export interface Verdict {
  requirement: string;
  part?: string;
  outcome: Outcome;
  scenario: string;
  source: string;
  findings: Finding[];
  /** The command that judges it again. */
  again: string;
}
