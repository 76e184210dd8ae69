import type { FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { colours as pc } from './colours.ts';
import type { Outcome } from '../src/judge/verdict.ts';

/** Annotation of a test: the worst outcome of its verdicts. */
export const OUTCOME_ANNOTATION = 'outcome';

/** What neither held nor did not, whatever Playwright calls such a test. */
const undecided: Partial<Record<Outcome, string>> = {
  inconclusive: pc.yellow('inconclusive'),
  'harness-error': pc.magenta('harness error'),
  unsupported: pc.dim('unsupported'),
};

const marks: Record<TestResult['status'], string> = {
  passed: pc.green('held'),
  failed: pc.red('did not hold'),
  timedOut: pc.red('timed out'),
  skipped: pc.dim('skipped'),
  interrupted: pc.yellow('interrupted'),
};

/** One plain line for each scenario as it ends, so that a log reads as well as a terminal. */
export default class Progress implements Reporter {
  #all = 0;
  #done = 0;

  constructor() {
    // Nobody may read any more (`| head`); that ends neither the run nor its reports.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }

  onBegin(_config: unknown, suite: Suite): void {
    this.#all = suite.allTests().length;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#done += 1;
    const seconds = (result.duration / 1000).toFixed(1).padStart(5);
    const outcome = result.annotations.find(({ type }) => type === OUTCOME_ANNOTATION)?.description as
      Outcome | undefined;
    const ended = result.status === 'failed' || result.status === 'passed';
    const mark = (ended && outcome && undecided[outcome]) || marks[result.status];
    console.log(`${String(this.#done).padStart(3)}/${this.#all}  ${seconds} s  ${test.title}: ${mark}`);
    const broken = result.errors.find((error) => !error.message?.includes('GS-') && !error.message?.includes('DY-'));
    if (broken?.message) console.log(pc.dim(broken.message.split('\n').slice(0, 6).join('\n')));
  }

  onError(error: { message?: string }): void {
    console.error(pc.red(error.message ?? 'unknown error'));
  }

  onEnd(result: FullResult): void {
    if (result.status === 'interrupted') console.error('interrupted: reports of what was done follow');
  }

  printsToStdio(): boolean {
    return true;
  }
}
