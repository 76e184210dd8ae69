/** Lines of a text, first and last, counted from 1. */
type Lines = readonly [first: number, last: number];

export function sha256(text: string): string;
export function sentenceHash(
  text: string,
  lines: Lines,
  pieces: readonly [from: number, to: number],
): string | undefined;
export function candidates(text: string, lines: Lines): Set<string>;
