import { dynamoFacts } from '../../src/engines/dynamo/facts.ts';
import { decidedOnReal } from '../../src/scenario/manifest.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { whatIsWrong } from '../real/dynamo/examine.ts';
import { dynamoPlaces, SET_UP } from '../real/dynamo/places.ts';
import { UsageError } from '../usage-error.ts';
import type { ChosenTarget } from './choose.ts';

/** Parts that real programs can stand for, in the place of doubles. */
export const realParts = ['dynamo'] as const;
export type RealPart = (typeof realParts)[number];

/** Real programs in a run, and why they cannot be had here, if so. */
export interface RealPrograms {
  part: RealPart;
  version: string;
  missing?: string | undefined;
}

/**
 * What `--real` asks for. A real program keeps its own clock and has no faults to switch on.
 * @throws UsageError for options that contradict it
 */
export async function chooseReal(
  part: RealPart,
  { target, timeScale = 1, fault }: ChosenTarget & { fault: string[] },
): Promise<RealPrograms> {
  const given = `--real ${part} with`;
  if (target !== 'embedded')
    throw new UsageError(`${given} --target ${target}`, 'the embedded cluster', 'leave --target out');
  if (timeScale !== 1)
    throw new UsageError(
      `${given} --time-scale ${timeScale}`,
      'real time: a real program keeps its own clock',
      'leave --time-scale out',
    );
  if (fault.length > 0)
    throw new UsageError(`${given} --fault ${fault[0]}`, 'no fault: only doubles have them', 'leave --fault out');
  const { version } = dynamoFacts;
  const wrong = await whatIsWrong(dynamoPlaces());
  if (wrong === undefined) return { part, version };
  return { part, version, missing: `real Dynamo ${version} is not set up on this machine (${wrong}): ${SET_UP}` };
}

/** Scenarios in which every part that counts has a real program: a frontend, or a worker whose engine does not matter. */
const played: readonly string[] = [
  'dynamo-cleanup',
  'dynamo-clients-leave',
  'dynamo-early-signal',
  'dynamo-engine-dies',
  'dynamo-frontend-drains',
  'dynamo-grace-values',
  'dynamo-interrupt',
  'dynamo-lost-partners',
  'dynamo-roles-wait',
  'dynamo-signalled-again',
  'dynamo-worker-breaks',
  'dynamo-worker-leaves',
  'dynamo-worker-timeout',
];

/** Why a scenario cannot be tried with real programs; undefined where it can. */
export function whyNotReal({ part, version, missing }: RealPrograms, { id }: Pick<Scenario, 'id'>): string | undefined {
  if (missing !== undefined || played.includes(id)) return missing;
  return `${id} needs parts that real ${part} ${version} has no program for here: run it on the doubles`;
}

/** The scenarios of a selection in which a part has a place; all of its document where nothing was selected. */
export function withPart(part: RealPart, chosen: readonly Scenario[], selection: readonly string[]): Scenario[] {
  const fit = chosen.filter((scenario) => scenario.document === part && decidedOnReal(scenario).length > 0);
  const other = chosen.find((scenario) => !fit.includes(scenario));
  if (selection.length === 0 || !other) return fit;
  throw new UsageError(
    `scenario ${other.id} with --real ${part}`,
    `scenarios of ${part}'s document`,
    `leave it out, or run it without --real`,
  );
}
