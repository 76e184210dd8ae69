import type { Outcome } from './verdict.ts';

/**
 * From the outcome that hides all others to the one that hides none: a broken promise is shown even where something
 * else could not be decided; a harness that failed proves nothing either way; then what was not decided, not possible,
 * not wanted. Only where nothing else was found is it a pass.
 */
export const precedence: readonly Outcome[] = [
  'fail',
  'harness-error',
  'inconclusive',
  'unsupported',
  'skipped',
  'pass',
];

/** The worst of some outcomes; of none at all it is a harness error, since what judged nothing is not green. */
export const mergeOutcomes = (found: readonly Outcome[]): Outcome =>
  precedence.find((outcome) => found.includes(outcome)) ?? 'harness-error';
