import { join } from 'node:path';
import { faults as known } from '../../src/doubles/faults.ts';
import type { RunOptions } from '../../fixtures/options.ts';
import { compareImplemented, implementedLines } from '../../reports/implemented.ts';
import { compareKnown, knownLines } from '../../reports/known.ts';
import { coverageLine, costLine, verdictTable } from '../../reports/table.ts';
import { catalogue } from '../../suites/catalogue.ts';
import { DEFAULT_PROFILE } from '../../src/requirements/profiles.ts';
import { scenariosOf } from '../../suites/scenarios.ts';
import { writeWhole } from '../../src/history/bundle.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { claimOut, defaultOut } from '../run/out-folder.ts';
import { knownDifferences } from '../run/known.ts';
import { codeOfEnding } from '../run/perform.ts';
import { performSamples } from '../run/samples.ts';
import { brokenAsImplemented, doublesAsImplemented, faultsOfDoubles } from '../doubles.ts';
import { chosenProfile, profileLine } from '../profile.ts';
import { selectScenarios } from '../select.ts';
import { chooseTarget, type ChosenTarget } from '../target/choose.ts';
import { chooseReal, withPart, type RealPart } from '../target/real.ts';
import { didYouMean, UsageError } from '../usage-error.ts';

export interface RunCommandOptions extends ChosenTarget {
  tag: string[];
  fault: string[];
  /** Real programs in the place of doubles. */
  real?: RealPart;
  profile: string;
  double: string[];
  seed: number;
  repeat: number;
  untilDecided: number;
  workers?: number;
  out?: string;
  list?: boolean;
  json?: boolean;
}

/**
 * Scenarios side by side at most. With a fourth, two cores leave more open: a run that repeats that is faster all the same (199 s
 * in place of 228 s), negative controls are not.
 */
export const DEFAULT_WORKERS = 3;

/** @throws UsageError with the nearest names */
export function checkFaults(names: readonly string[]): void {
  for (const name of names) {
    if (known.some((f) => f.name === name)) continue;
    throw new UsageError(
      `there is no fault "${name}"; ${didYouMean(
        name,
        known.map((f) => f.name),
      )}`.replace(/; $/, ''),
      'a fault of the registry',
      'quiesce faults lists them',
    );
  }
}

/** `quiesce run`: the scenarios of a selection, judged, and one table. */
export async function runCommand(selection: string[], options: RunCommandOptions): Promise<number> {
  checkFaults(options.fault);
  const profile = chosenProfile(options.profile);
  const faults = [...options.fault, ...faultsOfDoubles(options.double)];
  const real = options.real && (await chooseReal(options.real, options));
  const selected = selectScenarios(selection, options.tag, profile.name);
  const chosen = (options.real ? withPart(options.real, selected, selection) : selected).filter(
    (s) =>
      selection.length > 0 ||
      options.fault.length === 0 ||
      options.fault.some((f) => s.controls.some((c) => c.fault === f)),
  );
  if (options.list) {
    const rows = chosen.map((s) => ({
      scenario: s.id,
      requirements: [...new Set(s.decides.map((d) => d.requirement))],
    }));
    if (options.json) console.log(JSON.stringify(rows, null, 2));
    else for (const row of rows) console.log(`${row.scenario.padEnd(24)} ${row.requirements.join(' ')}`);
    return 0;
  }
  // Better now than in each scenario.
  const target = await chooseTarget(real ? { ...options, timeScale: 1 } : options, profile);
  const jobs = Array.from({ length: options.repeat }, (_, i) => i + 1).flatMap((sample) =>
    chosen.map((s) => ({ scenario: s.id, faults, sample })),
  );
  const started = Date.now();
  const run: RunOptions = claimOut(options.out ?? defaultOut(), {
    id: `run-${started.toString(36)}-${process.pid}`,
    ...target,
    ...(real ? { real } : {}),
    profile: profile.name,
    seed: options.seed,
    workers: options.workers ?? DEFAULT_WORKERS,
    jobs,
  });
  const often = options.repeat > 1 ? `, ${options.repeat} times each` : '';
  console.error(
    `${chosen.length} of ${scenariosOf(profile.name).length} scenarios${often}, time scale ${run.timeScale}, results in ${run.out}`,
  );
  if (profile.name !== DEFAULT_PROFILE) console.error(profileLine(profile));
  const {
    ending,
    samples,
    decided: results,
  } = await performSamples(run, Math.max(options.repeat, options.untilDecided));
  const verdicts = results.flatMap((r) => r.verdicts);
  if (options.json) console.log(JSON.stringify(samples, null, 2));
  else {
    const compared = real && compareKnown(verdicts, knownDifferences(real.part), real.version, today());
    console.log(verdictTable(results, (verdict) => (compared?.known.includes(verdict) ? 'known' : undefined)));
    console.log(coverageLine(verdicts, catalogue));
    if (compared) console.log(knownLines(`${real.part} ${real.version}`, compared));
    for (const double of doublesAsImplemented(options.double))
      console.log(implementedLines(double, compareImplemented(verdicts, brokenAsImplemented(chosen))));
    console.log(costLine(run.out, (Date.now() - started) / 1000));
  }
  writeWhole(join(run.out, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  return codeOfEnding(ending) ?? exitCodeOf(verdicts.map((v) => v.outcome));
}

const today = (): string => new Date().toISOString().slice(0, 10);
