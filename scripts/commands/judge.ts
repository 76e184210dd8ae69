import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBundle } from '../../src/history/bundle.ts';
import { judge, renderVerdicts } from '../../src/judge/judge.ts';
import type { Outcome, Verdict } from '../../src/judge/verdict.ts';
import { catalogue } from '../../suites/catalogue.ts';
import { verdictTable } from '../../reports/table.ts';
import { exitCodeOf } from '../exit-codes.ts';

/** Judges one stored bundle and writes its verdicts.json; the same bytes on every machine. */
export function judgeFolder(folder: string): { verdicts: Verdict[]; problems: string[] } {
  const bundle = readBundle(folder);
  const verdicts = judge(bundle, catalogue);
  writeFileSync(join(folder, 'verdicts.json'), renderVerdicts(bundle.manifest, verdicts));
  return { verdicts, problems: bundle.problems };
}

/** `quiesce judge BUNDLE...`: judges stored bundles again, without a cluster. */
export function judgeCommand(folders: string[], options: { json?: boolean }): number {
  const outcomes: Outcome[] = [];
  const all: { bundle: string; verdicts: Verdict[] }[] = [];
  for (const folder of folders) {
    const { verdicts, problems } = judgeFolder(folder);
    for (const problem of problems) console.error(`${folder}: ${problem}`);
    outcomes.push(...verdicts.map((v) => v.outcome));
    all.push({ bundle: folder, verdicts });
  }
  if (options.json) console.log(JSON.stringify(all, null, 2));
  else console.log(verdictTable(all));
  return exitCodeOf(outcomes);
}
