import { unsupportedReasons, type Ability } from '../../src/scenario/abilities.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { faultNamed, faults as known } from '../../src/doubles/faults.ts';
import { detectionTable, type Trial } from '../../reports/detection.ts';
import { writeDetection } from '../../reports/detection-files.ts';
import { DEFAULT_PROFILE, profileOf } from '../../src/requirements/profiles.ts';
import { scenarios } from '../../suites/scenarios.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Job } from '../../fixtures/options.ts';
import { claimOut, defaultOut } from '../run/out-folder.ts';
import { codeOfEnding } from '../run/perform.ts';
import type { JobResult } from '../run/results.ts';
import { performSamples } from '../run/samples.ts';
import { chooseTarget, type ChosenTarget } from '../target/choose.ts';
import { checkFaults, DEFAULT_WORKERS } from './run.ts';

export interface DetectionOptions extends ChosenTarget {
  untilDecided: number;
  workers?: number;
  out?: string;
  json?: boolean;
}

/** `quiesce detection`: every fault in every scenario that names it as a control. */
export async function detectionCommand(names: string[], options: DetectionOptions): Promise<number> {
  checkFaults(names);
  const target = await chooseTarget(options, profileOf(DEFAULT_PROFILE));
  const chosen = names.length ? names : known.map((f) => f.name);
  const jobs = spread(
    scenarios.map((s) =>
      s.controls
        .filter((c) => chosen.includes(c.fault))
        .filter((c) => canBeTried(s, c.fault, target.abilities))
        .map((c): Job => ({ scenario: s.id, faults: [c.fault], sample: 1, ...profileFor(s) })),
    ),
  );
  const run = claimOut(options.out ?? defaultOut(), {
    id: `run-${Date.now().toString(36)}-${process.pid}`,
    ...target,
    profile: DEFAULT_PROFILE,
    seed: 1,
    workers: options.workers ?? DEFAULT_WORKERS,
    jobs,
  });
  console.error(`${chosen.length} faults in ${jobs.length} trials, time scale ${run.timeScale}, results in ${run.out}`);
  const controlOf = (job: Job) =>
    scenarios.find((s) => s.id === job.scenario)?.controls.find((c) => c.fault === job.faults[0]);
  // A control that broke nothing is tried again as one that left it open is: the table says in how many samples it did.
  const { ending, decided, samples } = await performSamples(run, options.untilDecided, (verdicts, job) =>
    (controlOf(job)?.breaks ?? []).some((id) => !verdicts.some((v) => v.requirement === id && v.outcome === 'fail')),
  );
  const trials: Trial[] = jobs.map((job) => {
    const ofJob = (r: JobResult) => r.job.scenario === job.scenario && r.job.faults[0] === job.faults[0];
    const own = decided.filter(ofJob);
    return {
      fault: job.faults[0] ?? '',
      scenario: job.scenario,
      breaks: controlOf(job)?.breaks ?? [],
      verdicts: own.flatMap((r) => r.verdicts),
      samples: samples.filter(ofJob).map((r) => r.verdicts),
      bundle: own[0]?.bundle ?? '',
    };
  });
  const { text, rows, missed, falseAlarms, passed, failed } = detectionTable(trials);
  writeDetection(run.out, rows);
  console.log(options.json ? JSON.stringify(trials, null, 2) : `${text}\n${passed} passed, ${failed} failed`);
  return codeOfEnding(ending) ?? (missed + falseAlarms > 0 || trials.length === 0 ? exitCodes.fail : exitCodes.pass);
}

/** The first profile of a scenario that the default one does not have: its API may be another, its cluster is the same. */
const profileFor = ({ profiles }: Scenario): Pick<Job, 'profile'> =>
  profiles && !profiles.includes(DEFAULT_PROFILE) ? { profile: profiles[0] } : {};

/** Whether the target can show a fault; says why not where it cannot. */
function canBeTried(scenario: Scenario, fault: string, has: readonly Ability[]): boolean {
  const [reason] = unsupportedReasons(scenario, [faultNamed(fault)], has);
  if (reason !== undefined) console.error(`not tried: ${fault} in ${scenario.id}: ${reason}`);
  return reason === undefined;
}

/** The first of each list, then the second of each, and so on: trials of one costly scenario do not run side by side. */
function spread(lists: Job[][]): Job[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
}
