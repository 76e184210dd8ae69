import { nearest } from '../src/requirements/nearest.ts';

/** Input that cannot be used: what was seen, what was expected, what to do next. The command ends with 64. */
export class UsageError extends Error {
  readonly code = 'QUIESCE_USAGE';
  constructor(seen: string, expected: string, next: string) {
    super(`${seen}\n  expected: ${expected}\n  next: ${next}`);
    this.name = 'UsageError';
  }
}

/** "did you mean X or Y?" from the known names nearest to `seen`; empty where none is near. */
export function didYouMean(seen: string, known: readonly string[]): string {
  const near = nearest(seen, known);
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : '';
}
