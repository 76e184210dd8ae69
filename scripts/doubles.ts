import { asImplemented } from '../src/doubles/faults/as-implemented.ts';
import type { Scenario } from '../src/scenario/scenario.ts';
import type { Expected } from '../reports/implemented.ts';
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

/** The doubles that are told to behave as implemented. */
export const doublesAsImplemented = (typed: readonly string[]): string[] =>
  typed.flatMap((text) => (faultsOfDoubles([text]).includes(asImplemented.name) ? [text.split('=')[0] ?? ''] : []));

/** What the known differences break in each scenario: what the controls with those faults say there. */
export function brokenAsImplemented(scenarios: readonly Scenario[]): Expected {
  const faults = [asImplemented.name, ...(asImplemented.of ?? [])];
  return new Map(
    scenarios.map(({ id, controls }) => [
      id,
      controls.filter(({ fault }) => faults.includes(fault)).flatMap(({ breaks }) => breaks),
    ]),
  );
}
