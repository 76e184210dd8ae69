import { keywords, symbols, toleranceSymbols } from './symbols.ts';

/** A word, even directly behind a number (`3r`). */
const word = /(?<![A-Za-z])[A-Za-z]+/g;

const wordsOf = (formula: string): string[] => [...new Set(formula.match(word) ?? [])];

const isTolerance = (name: string): name is keyof typeof toleranceSymbols => Object.hasOwn(toleranceSymbols, name);

/** Words of a formula that are neither a symbol nor a tolerance nor a word of the language: each is a mistake. */
export const unknownWords = (formula: string): string[] =>
  wordsOf(formula).filter(
    (name) => !Object.hasOwn(symbols, name) && !isTolerance(name) && !(keywords as readonly string[]).includes(name),
  );

/** Names of the tolerances that a formula uses, in the order in which it uses them. */
export const tolerancesOf = (formula: string): string[] =>
  wordsOf(formula)
    .filter(isTolerance)
    .map((name) => toleranceSymbols[name]);
