import type { Finding, Verdict } from '../src/judge/verdict.ts';

/**
 * A verdict as text: requirement and source, formula with numbers, what was seen, nearest events, how to judge again.
 * @param bundle where the bundle stands; the verdict itself knows only of `.`, so that its bytes are the same everywhere
 */
export function explainVerdict(verdict: Verdict, bundle: string): string {
  const name = verdict.part ? `${verdict.requirement} (${verdict.part})` : verdict.requirement;
  return [
    `${name}: ${verdict.outcome} in ${verdict.scenario}`,
    `  source: ${verdict.source}`,
    ...verdict.findings.flatMap(explainFinding),
    `  judge again: ${verdict.again.replace(/ \.$/, ` ${bundle}`)}`,
  ].join('\n');
}

function explainFinding(finding: Finding): string[] {
  return [
    `  ${finding.case ?? 'whole run'}: ${finding.outcome}`,
    `    promised: ${finding.formula}`,
    `    seen: ${finding.seen}`,
    ...(finding.note ? [`    note: ${finding.note}`] : []),
    ...(finding.wouldDecide ? [`    would decide: ${finding.wouldDecide}`] : []),
    ...finding.evidence.map((e) => `    history.jsonl:${e.line}  ${e.what}`),
  ];
}
