import type { Verdict } from '../../src/judge/verdict.ts';

export function failedTests(result: { name: string; code: number | null; output: string; tests?: boolean }): string[];
export function failedVerdicts(
  verdicts: readonly (Pick<Verdict, 'requirement' | 'outcome' | 'scenario'> & {
    findings: { outcome: string; seen: string }[];
  })[],
): string[];
export function failedTrials(output: string): string[];
