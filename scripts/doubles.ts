import { asImplemented } from '../src/doubles/faults/as-implemented.ts';
import { didYouMean, UsageError } from './usage-error.ts';

/** How each double can be told to behave, and the fault of the registry that makes it so; none: as its documents say. */
const behaviours: Record<string, Record<string, string | undefined>> = {
  'gpustack-operator': { 'as-documented': undefined, 'as-implemented': asImplemented.name },
};

export const doubleUsage = Object.entries(behaviours)
  .flatMap(([double, ways]) => Object.keys(ways).map((way) => `${double}=${way}`))
  .join(' or ');

/** The faults that `--double NAME=BEHAVIOUR` stands for. @throws UsageError for a double or a behaviour that is not there */
export function faultsOfDoubles(typed: readonly string[]): string[] {
  return typed.flatMap((text) => {
    const [double = '', way = ''] = text.split('=');
    const ways = behaviours[double];
    if (!ways || !Object.hasOwn(ways, way)) {
      const near = ways ? didYouMean(way, Object.keys(ways)) : didYouMean(double, Object.keys(behaviours));
      throw new UsageError(
        `--double ${text}: ${ways ? `${double} has no behaviour "${way}"` : `there is no double "${double}"`} ${near}`.trim(),
        doubleUsage,
        'quiesce faults says what as-implemented does',
      );
    }
    const fault = ways[way];
    return fault === undefined ? [] : [fault];
  });
}
