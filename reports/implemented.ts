import { differenceNames } from '../src/requirements/differences.ts';
import type { Verdict } from '../src/judge/verdict.ts';
import { colours as pc } from './colours.ts';
import { wrapped } from './plain-table.ts';

/** Requirements that the known differences break, by scenario. */
export type Expected = ReadonlyMap<string, readonly string[]>;

/** What a run of a double as implemented came to beside its known differences, as `REQUIREMENT in SCENARIO`. */
export interface Implemented {
  /** Failed as expected, and the finding tells which known difference it is. */
  met: Verdict[];
  /** Failed where no known difference says so, or without naming one. */
  besides: string[];
  /** Should have failed. */
  absent: string[];
}

const named = ({ findings }: Verdict): boolean =>
  findings.some(
    ({ outcome, seen }) =>
      outcome === 'fail' && differenceNames.some((name) => seen.includes(`known difference ${name}:`)),
  );

/** Splits the verdicts of a run; what was not tried is neither met nor absent. */
export function compareImplemented(verdicts: readonly Verdict[], expected: Expected): Implemented {
  const isExpected = ({ scenario, requirement }: Verdict) => expected.get(scenario)?.includes(requirement) ?? false;
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail');
  const met = failed.filter((verdict) => isExpected(verdict) && named(verdict));
  const place = ({ requirement, scenario }: Pick<Verdict, 'requirement' | 'scenario'>) =>
    `${requirement} in ${scenario}`;
  const found = new Set(met.map(place));
  return {
    met,
    besides: [...new Set(failed.filter((verdict) => !met.includes(verdict)).map(place))],
    absent: [...new Set(verdicts.filter(isExpected).map(place))].filter((where) => !found.has(where)),
  };
}

/** What is said below the table of such a run. */
export function implementedLines(double: string, { met, besides, absent }: Implemented): string {
  const ids = [...new Set(met.map(({ requirement }) => requirement))].sort();
  const exactly = besides.length + absent.length === 0 && ids.length > 0;
  const line = (what: string, of: readonly string[]) =>
    of.length === 0 ? [] : [pc.red(wrapped(`  ${what}: ${of.join(', ')}`))];
  return [
    wrapped(`${double} as implemented: fails ${exactly ? 'exactly ' : ''}by its known differences: ${ids.join(' ')}`),
    ...line('fails besides, which no known difference says', besides),
    ...line('did not fail, though a known difference says so', absent),
  ].join('\n');
}
