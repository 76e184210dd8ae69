import type { Job, RunOptions } from '../../fixtures/options.ts';
import type { Outcome, Verdict } from '../../src/judge/verdict.ts';
import { writeRunOptions } from './out-folder.ts';
import { perform, type Ending } from './perform.ts';
import { readResults, type JobResult } from './results.ts';

/** What all samples of a run came to. */
export interface Sampled {
  ending: Ending;
  /** Every sample, in the order in which they were taken. */
  samples: JobResult[];
  /** One result for each scenario and its faults: of each verdict the sample that decided it. */
  decided: JobResult[];
}

/** Whether what a scenario came to so far, its samples merged, is worth another sample. */
type Again = (verdicts: readonly Verdict[], job: Job) => boolean;

const leftOpen: Again = (verdicts) => verdicts.some((v) => v.outcome === 'inconclusive');

/**
 * Runs the jobs, and those that left something inconclusive (or what else `again` says) again, as further samples, until
 * each has `atMost`. No sample takes a fail back, and every one stays in the run's folder.
 */
export async function performSamples(options: RunOptions, atMost: number, again: Again = leftOpen): Promise<Sampled> {
  const samples: JobResult[] = [];
  let jobs = options.jobs;
  for (let further = 0; ; further += 1) {
    const round = { ...calmer(options, further), jobs };
    writeRunOptions(round);
    const ending = await perform(round);
    samples.push(...readResults(round));
    const decided = decide(samples);
    const last = new Map<string, Job>();
    for (const [name, results] of grouped(decided)) {
      const verdicts = results.flatMap((result) => result.verdicts);
      const [first] = results;
      if (first && again(verdicts, first.job)) last.set(name, newest(samples, first));
    }
    jobs = [...last.values()].filter((job) => job.sample < atMost).map((job) => ({ ...job, sample: job.sample + 1 }));
    if (ending !== 'complete' || jobs.length === 0) {
      if (samples.length > round.jobs.length) writeRunOptions({ ...options, jobs: samples.map((s) => s.job) });
      return { ending, samples, decided };
    }
    const { timeScale, workers } = calmer(options, further + 1);
    const calm = `at time scale ${timeScale}, ${workers} side by side at most`;
    console.error(`left something open, one more sample ${calm}: ${jobs.map((job) => job.scenario).join(' ')}`);
  }
}

/**
 * What was inconclusive was so because the machine was too busy for its time scale, as a rule: each further round runs at
 * half the scale of the one before, down to real time, and with half as many scenarios side by side. The kubelets of a cluster
 * that is there already keep the scale that they have.
 */
export function calmer(options: RunOptions, further: number): RunOptions {
  const { target, timeScale, workers } = options;
  const divisor = 2 ** further;
  return {
    ...options,
    timeScale: target === 'embedded' ? Math.max(timeScale / divisor, Math.min(timeScale, 1)) : timeScale,
    workers: Math.max(1, Math.ceil(workers / divisor)),
  };
}

const key = ({ scenario, faults }: Job): string => [scenario, ...faults].join('+');

function grouped(results: readonly JobResult[]): Map<string, JobResult[]> {
  const groups = new Map<string, JobResult[]>();
  for (const result of results) groups.set(key(result.job), [...(groups.get(key(result.job)) ?? []), result]);
  return groups;
}

const newest = (samples: readonly JobResult[], { job }: JobResult): Job =>
  samples.filter((s) => key(s.job) === key(job)).reduce((a, b) => (b.job.sample > a.job.sample ? b : a)).job;

/** Of several samples of one verdict a fail counts before anything, and what is decided before what is not. */
const order: Outcome[] = ['fail', 'harness-error', 'pass', 'inconclusive', 'unsupported', 'skipped'];

const rank = (verdict: Verdict): number => order.indexOf(verdict.outcome);

/** Merges the samples of each scenario, verdict by verdict. */
export function decide(samples: readonly JobResult[]): JobResult[] {
  return [...grouped(samples).values()].flatMap((group) => {
    const best = new Map<string, { verdict: Verdict; from: JobResult }>();
    for (const from of group) {
      for (const verdict of from.verdicts) {
        const id = `${verdict.requirement} ${verdict.part ?? ''}`;
        const known = best.get(id);
        if (!known || rank(verdict) < rank(known.verdict)) best.set(id, { verdict, from });
      }
    }
    const chosen = [...best.values()];
    return group
      .map((from) => ({ ...from, verdicts: chosen.filter((c) => c.from === from).map((c) => c.verdict) }))
      .filter((result) => result.verdicts.length > 0);
  });
}
