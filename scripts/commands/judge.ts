import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BundleError, readBundle, writeWhole } from '../../src/history/bundle.ts';
import { judge, renderVerdicts } from '../../src/judge/judge.ts';
import type { Outcome, Verdict } from '../../src/judge/verdict.ts';
import { catalogue } from '../../suites/catalogue.ts';
import { verdictTable } from '../../reports/table.ts';
import { exitCodeOf } from '../exit-codes.ts';

interface Judged {
  verdicts: Verdict[];
  problems: string[];
}

function judged(folder: string): Judged & { text: string } {
  const bundle = readBundle(folder);
  const verdicts = judge(bundle, catalogue);
  return { verdicts, problems: bundle.problems, text: renderVerdicts(bundle.manifest, verdicts) };
}

const verdictsFile = (folder: string) => join(folder, 'verdicts.json');
const write = (folder: string, text: string) => writeWhole(verdictsFile(folder), text);

/** Whether the verdicts that a bundle holds are those that it has; one that was never judged holds none. */
export function verdictsHold(folder: string): boolean {
  const file = verdictsFile(folder);
  return !existsSync(file) || readFileSync(file, 'utf8') === judged(folder).text;
}

/**
 * Judges one stored bundle and writes its verdicts.json; the same bytes on every machine.
 * @throws BundleError where the bundle cannot be read, or its folder not be written
 */
export function judgeFolder(folder: string): Judged {
  const { text, ...rest } = judged(folder);
  write(folder, text);
  return rest;
}

/** `quiesce judge BUNDLE...`: judges stored bundles again, without a cluster. */
export function judgeCommand(folders: string[], options: { json?: boolean }): number {
  const outcomes: Outcome[] = [];
  const all: { bundle: string; verdicts: Verdict[] }[] = [];
  for (const folder of folders) {
    const { verdicts, problems, text } = judged(folder);
    for (const problem of problems) console.error(`${folder}: ${problem}`);
    try {
      write(folder, text);
    } catch (error) {
      // The verdicts of a bundle on a read-only disk are worth as much; they are only not kept.
      if (!(error instanceof BundleError)) throw error;
      console.error(`${folder}: verdicts.json is not written: ${error.seen}`);
    }
    outcomes.push(...verdicts.map((v) => v.outcome));
    all.push({ bundle: folder, verdicts });
  }
  if (options.json) console.log(JSON.stringify(all, null, 2));
  else console.log(verdictTable(all));
  return exitCodeOf(outcomes);
}
