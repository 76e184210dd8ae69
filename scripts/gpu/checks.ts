import { $ } from 'zx';
import type { Step } from '../real/step.ts';

/** Something that must hold before anything is done. */
export interface Check {
  /** What is looked at, as a fact: `a Docker daemon that answers`. */
  fact: string;
  /** What it looks at, for a dry run. */
  shows: string;
  /** What is wrong and what to do about it, or undefined where all is well. */
  problem: () => Promise<string | undefined>;
}

/** Checks that failed, all of them at once. */
export class ChecksFailed extends Error {
  readonly code = 'QUIESCE_CHECKS';
  constructor(problems: readonly string[]) {
    super(`not possible here:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ChecksFailed';
  }
}

/** One step that makes all checks; it fails with every problem, not with the first. */
export const checkStep = (checks: readonly Check[]): Step => ({
  does: `check: ${checks.map(({ fact }) => fact).join('; ')}`,
  shows: checks.map(({ shows }) => shows),
  run: async () => {
    const found = await Promise.all(checks.map(({ problem }) => problem()));
    const problems = found.filter((problem) => problem !== undefined);
    if (problems.length > 0) throw new ChecksFailed(problems);
  },
});

/** What a command printed, or undefined where it cannot be run or failed. */
export async function answer(argv: readonly string[]): Promise<string | undefined> {
  const { exitCode, stdout } = await $({ nothrow: true, quiet: true, timeout: '20s' })`${argv}`;
  return exitCode === 0 ? stdout.trim() : undefined;
}

/** A program that must be on the PATH. */
export const program = (name: string, argv: readonly string[], install: string): Check => ({
  fact: name,
  shows: argv.join(' '),
  problem: async () => ((await answer(argv)) === undefined ? `${argv.join(' ')} failed: ${install}` : undefined),
});
