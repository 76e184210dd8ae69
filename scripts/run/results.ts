import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFolder, type Job, type RunOptions } from '../../fixtures/options.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { scenarioById } from '../../suites/scenarios.ts';

/** What one job came to. */
export interface JobResult {
  job: Job;
  bundle: string;
  verdicts: Verdict[];
}

/** Reads the verdicts of every job; a job that wrote none counts as a harness error in all that it was to decide. */
export function readResults(options: RunOptions): JobResult[] {
  return options.jobs.map((job) => {
    const bundle = bundleFolder(options, job);
    const file = join(bundle, 'verdicts.json');
    if (!existsSync(file)) return { job, bundle, verdicts: unwritten(job, bundle) };
    const { verdicts } = JSON.parse(readFileSync(file, 'utf8')) as { verdicts: Verdict[] };
    return { job, bundle, verdicts };
  });
}

const unwritten = (job: Job, bundle: string): Verdict[] =>
  (scenarioById(job.scenario)?.decides ?? []).map(({ requirement, part }) => ({
    requirement,
    ...(part ? { part } : {}),
    outcome: 'harness-error',
    scenario: job.scenario,
    source: '',
    findings: [{ outcome: 'harness-error', formula: '', seen: unjudged(bundle), evidence: [] }],
    again: `quiesce run ${job.scenario}`,
  }));

const unjudged = (bundle: string): string =>
  existsSync(join(bundle, 'manifest.json'))
    ? 'the scenario ended before it was judged; quiesce judge judges what it has left'
    : 'the scenario has left no bundle';
