import type { Verdict } from '../src/judge/verdict.ts';
import { symbols, toleranceSymbols } from '../src/requirements/symbols.ts';
import { tolerances } from '../src/requirements/tolerances.ts';

/** What the one-letter symbols in the formulas of these verdicts mean, one a line; empty where they use none. */
export function legend(verdicts: readonly Verdict[]): string {
  const formulas = verdicts.flatMap((verdict) => verdict.findings.map((finding) => finding.formula)).join('\n');
  const used = ([symbol]: [string, string]) =>
    symbol.length === 1 && new RegExp(`(?<![A-Za-z'])${symbol}(?![A-Za-z'])`).test(formulas);
  const instants = Object.entries(symbols)
    .filter(used)
    .map(([symbol, meaning]) => `  ${symbol}  ${meaning}`);
  const slack = Object.entries(toleranceSymbols)
    .filter(used)
    .map(([symbol, name]) => `  ${symbol}  tolerance of ${amount(name)} (${words(name)})`);
  if (instants.length + slack.length === 0) return '';
  return ['symbols (instants are documented seconds after the delete):', ...instants, ...slack].join('\n');
}

const amount = (name: keyof typeof tolerances): string => {
  const { value, unit } = tolerances[name];
  return unit === 'wall' ? `${value} s on the wall clock` : `${value} s`;
};

const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
