import { join } from 'node:path';
import { defineConfig, type ReporterDescription } from '@playwright/test';
import { run } from './fixtures/run.ts';

/** Further samples of a run get reports of their own. */
const round = Math.max(1, ...run.jobs.map((job) => job.sample));
const suffix = round > 1 ? `-${round}` : '';

const reporters: ReporterDescription[] = [
  ['./reports/progress.ts'],
  ['junit', { outputFile: join(run.out, `junit${suffix}.xml`) }],
  ['./reports/allure.ts', { resultsDir: join(run.out, 'allure-results'), detail: false }],
];

export default defineConfig({
  testDir: 'suites',
  testMatch: '**/*.spec.ts',
  outputDir: join(run.out, 'playwright'),
  fullyParallel: true,
  workers: run.workers,
  retries: 0,
  // A scenario's own deadlines end it; this only ends a harness that hangs. 20 minutes at time scale 1.
  timeout: 20 * 60_000 + (run.readyMs ?? 0),
  globalSetup: './fixtures/global-setup.ts',
  reporter: reporters,
  metadata: { run: run.id },
});
