interface Total {
  passed: number;
  failed: number;
  skipped?: number;
}
export function sum(totals: readonly Total[]): Required<Total>;
export function line(total: Total): string;
export function skippedTests(output: string): string[];
export function totalOf(result: { code: number | null; output: string; tests?: boolean }): Required<Total>;
export function nodeTotals(output: string): Required<Total> | undefined;
export function verdictTotals(verdicts: readonly { requirement: string; outcome: string }[]): Required<Total>;
export function closingTotals(output: string): Required<Total> | undefined;
