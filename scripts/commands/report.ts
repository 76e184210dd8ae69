import { issueText } from '../../reports/issue.ts';
import type { KnownDifference } from '../../reports/known.ts';
import { readBundle } from '../../src/history/bundle.ts';
import { judge } from '../../src/judge/judge.ts';
import { catalogue } from '../../suites/catalogue.ts';
import { exitCodes } from '../exit-codes.ts';
import { knownDifferences } from '../run/known.ts';
import { realParts } from '../target/real.ts';
import { UsageError } from '../usage-error.ts';

/** Ways to write a bundle down for others. */
export const reportFormats = ['issue'] as const;

interface Options {
  format: (typeof reportFormats)[number];
  /** A requirement; all that failed where none is given. */
  only?: string | undefined;
}

/**
 * `quiesce report BUNDLE --format issue`: what a real program did otherwise than its document, as an issue that a person can file
 * with the program's project; one text for each requirement that failed.
 * @throws UsageError for a bundle of doubles, which says nothing of the program, and where nothing failed
 */
export function reportCommand(folder: string, { only }: Options): number {
  const bundle = readBundle(folder);
  const { manifest, events } = bundle;
  const part = realParts.find((name) => manifest.real?.includes(name));
  const next = 'take the bundle of a run with --real dynamo';
  if (part === undefined) throw new UsageError(`${folder} is of a run on doubles`, 'one of a real program', next);
  const verdicts = judge(bundle, catalogue);
  const failed = verdicts.filter(
    ({ outcome, requirement }) => outcome === 'fail' && (only ?? requirement) === requirement,
  );
  if (failed.length === 0) {
    const came = verdicts.map(({ requirement, outcome }) => `${requirement} ${outcome}`).join(', ');
    throw new UsageError(
      `no ${only ?? 'requirement'} failed in ${folder}`,
      'one that did',
      `it has: ${came || 'none'}`,
    );
  }
  const known = knownDifferences(part).filter(({ version }) => version === manifest.versions[part]);
  const texts = failed.map((verdict) =>
    issueText({
      ...{ manifest, events, verdict },
      requirement: catalogue.find(({ id }) => id === verdict.requirement),
      known: known.find((entry) => isAbout(entry, verdict)),
    }),
  );
  console.log(texts.join('\n---\n\n'));
  return exitCodes.pass;
}

const isAbout = (entry: KnownDifference, { requirement, part }: { requirement: string; part?: string }): boolean =>
  entry.requirement === requirement && (entry.part ?? part) === part;
