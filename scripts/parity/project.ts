import type { Match } from '../../suites/parity/experiment.ts';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Those parts of a value that dotted paths name, such as `status.conditions.type`; a list is passed through to its entries.
 * What is absent stays absent.
 */
export function project(value: unknown, keep: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => project(item, keep));
  if (!isFields(value)) return value;
  const out: Fields = {};
  const headOf = (path: string) => path.split('.')[0] ?? '';
  for (const key of new Set(keep.map(headOf))) {
    if (!(key in value)) continue;
    const tails = keep.filter((path) => headOf(path) === key).map((path) => path.slice(key.length + 1));
    out[key] = tails.includes('') ? value[key] : project(value[key], tails);
  }
  return out;
}

/** Whether a value has all that `match` names. In a list, each entry of `match` must match some entry. */
export function matches(value: unknown, match: Match): boolean {
  if (Array.isArray(match)) {
    return Array.isArray(value) && match.every((wanted) => value.some((item) => matches(item, wanted)));
  }
  if (match === null) return value === undefined || value === null;
  if (typeof match !== 'object') return value === match;
  return isFields(value) && Object.entries(match).every(([key, wanted]) => matches(value[key], wanted));
}
