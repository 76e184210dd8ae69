import type { Outcome } from '../src/judge/verdict.ts';

/** What the `quiesce` command ends with. */
export const exitCodes = {
  pass: 0,
  fail: 1,
  inconclusive: 2,
  harnessError: 3,
  usage: 64,
  /** A set-up that this machine lacks something for, or a run of which nothing could be tried. */
  unsupported: 69,
  interrupted: 130,
  terminated: 143,
} as const;

/**
 * The code of a whole run: the worst of its verdicts. One that judged nothing is never green: `unsupported` where nothing could be
 * tried, as its verdicts say, else a harness error.
 */
export function exitCodeOf(outcomes: readonly Outcome[]): number {
  if (outcomes.includes('fail')) return exitCodes.fail;
  if (outcomes.includes('harness-error')) return exitCodes.harnessError;
  if (outcomes.includes('inconclusive')) return exitCodes.inconclusive;
  if (outcomes.length > 0 && outcomes.every((outcome) => outcome === 'unsupported')) return exitCodes.unsupported;
  return outcomes.includes('pass') ? exitCodes.pass : exitCodes.harnessError;
}
