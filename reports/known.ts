import type { Verdict } from '../src/judge/verdict.ts';
import { colours as pc } from './colours.ts';
import { wrapped } from './plain-table.ts';

/** A promise that a release of a real program is known to break. It still fails: only nobody is surprised. */
export interface KnownDifference {
  requirement: string;
  /** The sub-verdict that it is about; absent: whichever. */
  part?: string | undefined;
  /** Release of the program that was seen to differ. */
  version: string;
  document: string;
  program: string;
  evidence: string;
  /** Address of a public report, where there is one. */
  issue?: string | undefined;
  /** Day (YYYY-MM-DD) from which it must be looked at again. */
  expires: string;
}

/** What a run on a release came to beside its known differences. */
export interface Compared {
  known: Verdict[];
  /** Fails that no entry names. */
  fresh: Verdict[];
  /** Entries whose requirement holds now. */
  gone: KnownDifference[];
  /** Entries that say nothing any more from this day on. */
  expired: KnownDifference[];
}

const isAbout = (entry: KnownDifference, { requirement, part }: Verdict): boolean =>
  entry.requirement === requirement && (entry.part === undefined || entry.part === part);

/** Splits the verdicts of a run on release `version`; an entry that has expired by `today` excuses nothing. */
export function compareKnown(
  verdicts: readonly Verdict[],
  entries: readonly KnownDifference[],
  version: string,
  today: string,
): Compared {
  const ours = entries.filter((entry) => entry.version === version);
  const valid = ours.filter(({ expires }) => today < expires);
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail');
  const isKnown = (verdict: Verdict) => valid.some((entry) => isAbout(entry, verdict));
  return {
    known: failed.filter(isKnown),
    fresh: failed.filter((verdict) => !isKnown(verdict)),
    gone: ours.filter((entry) => {
      const about = verdicts.filter((verdict) => isAbout(entry, verdict));
      return about.some(({ outcome }) => outcome === 'pass') && about.every(({ outcome }) => outcome !== 'fail');
    }),
    expired: ours.filter((entry) => !valid.includes(entry)),
  };
}

const named = ({ requirement, part }: { requirement: string; part?: string | undefined }): string =>
  part ? `${requirement} ${part}` : requirement;

/** What is said below the table of a run on a real program. */
export function knownLines(release: string, { known, fresh, gone, expired }: Compared): string {
  const line = (what: string, of: readonly Parameters<typeof named>[0][], colour = (text: string) => text) =>
    of.length === 0 ? [] : [colour(wrapped(`${what}: ${[...new Set(of.map(named))].join(', ')}`))];
  return [
    `${release}, the real program: ${known.length} known to differ, ${fresh.length} not known, ${gone.length} that differ no more`,
    ...line('  known to differ', known),
    ...line('  not known: add them to known-differences.yaml, or mend what misjudges them', fresh, pc.red),
    ...line('  known, but seen to hold: take them out of known-differences.yaml', gone, pc.yellow),
    ...line('  expired entries: look at them again', expired, pc.yellow),
  ].join('\n');
}
