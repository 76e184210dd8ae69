interface Result {
  verdicts: { scenario: string; requirement: string; part?: string; outcome: string }[];
}
export function differences(
  expected: { verdicts: Record<string, Record<string, string>> },
  results: readonly Result[],
): { same: number; different: string[]; notRun: string[] };
