import { distance } from 'fastest-levenshtein';

/** The known names that an unknown one may have meant, nearest first, at most three. */
export function nearest(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  const within = Math.max(2, Math.floor(wanted.length / 3));
  return known
    .map((candidate) => ({ candidate, far: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= within)
    .sort((a, b) => a.far - b.far || a.candidate.localeCompare(b.candidate))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}
