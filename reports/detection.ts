import { colours as pc } from './colours.ts';
import { plainTable } from './plain-table.ts';
import { mergeOutcomes } from '../src/judge/outcomes.ts';
import type { Outcome, Verdict } from '../src/judge/verdict.ts';

/** One fault switched on in one scenario that names it as a control. */
export interface Trial {
  fault: string;
  scenario: string;
  /** Requirements that it must break there. */
  breaks: string[];
  /** Its samples merged: what failed in any of them failed. */
  verdicts: Verdict[];
  /** The verdicts of each sample. */
  samples: Verdict[][];
  bundle: string;
}

export interface Detection {
  text: string;
  /** One a trial, in their order. */
  rows: Detected[];
  /** Requirements that the fault should have broken and that did not fail. */
  missed: number;
  /** Requirements that failed although no control names them. */
  falseAlarms: number;
  passed: number;
  failed: number;
}

/** What one trial came to, by requirement. */
export interface Detected {
  fault: string;
  scenario: string;
  caught: { requirement: string; samples: number; showed: number }[];
  missed: { requirement: string; outcome: Outcome | 'absent' }[];
  falseAlarms: string[];
  /** Neither passed nor failed, and no control of this trial. */
  undecided: { requirement: string; outcome: Outcome }[];
  bundle: string;
}

function detectedIn(trial: Trial): Detected {
  const outcome = outcomesByRequirement(trial.verdicts);
  const broke = [...outcome].filter(([, o]) => o === 'fail').map(([id]) => id);
  const others = [...outcome].filter(([id]) => !trial.breaks.includes(id));
  return {
    fault: trial.fault,
    scenario: trial.scenario,
    caught: broke.filter((id) => trial.breaks.includes(id)).map((id) => ({ requirement: id, ...shownIn(trial, id) })),
    missed: trial.breaks
      .filter((id) => !broke.includes(id))
      .map((id) => ({ requirement: id, outcome: outcome.get(id) ?? 'absent' })),
    falseAlarms: others.filter(([, o]) => o === 'fail').map(([id]) => id),
    undecided: others
      .filter(([, o]) => o !== 'pass' && o !== 'fail')
      .map(([requirement, o]) => ({ requirement, outcome: o })),
    bundle: trial.bundle,
  };
}

/** Requirements × faults: what each fault broke, what it should have broken and did not, and what failed besides. */
export function detectionTable(trials: readonly Trial[]): Detection {
  const rows = trials.map(detectedIn);
  const cells = rows.map(({ fault, scenario, caught, missed, falseAlarms, undecided }) => [
    fault,
    scenario,
    pc.green(caught.map(caughtText).join(' ')),
    pc.red(missed.map(({ requirement, outcome }) => `${requirement} (${outcome})`).join(' ')),
    pc.red(falseAlarms.join(' ')),
    pc.dim(undecided.map(({ requirement, outcome }) => `${requirement} ${outcome}`).join(' ')),
  ]);
  const wrong = rows.flatMap(({ missed, falseAlarms }, i) => {
    const trial = trials[i];
    if (!trial) return [];
    return [
      ...missed.map(({ requirement }) => `missed: ${told(trial, requirement)}`),
      ...falseAlarms.map((id) => `false alarm: ${told(trial, id)}`),
    ];
  });
  const head = ['fault', 'scenario', 'caught', 'missed', 'false alarm', 'undecided'];
  const table = plainTable(head, [32, 23, 'rest', 17, 10, 15], cells);
  const failed = rows.filter((row) => row.missed.length + row.falseAlarms.length > 0).length;
  return {
    text: [table, ...wrong, summaryOf(rows)].join('\n'),
    rows,
    missed: countOf(rows, 'missed'),
    falseAlarms: countOf(rows, 'falseAlarms'),
    passed: rows.length - failed,
    failed,
  };
}

const countOf = (rows: readonly Detected[], key: 'caught' | 'missed' | 'falseAlarms'): number =>
  rows.reduce((sum, row) => sum + row[key].length, 0);

/** The line that says it all. */
export function summaryOf(rows: readonly Detected[]): string {
  const count = (key: 'caught' | 'missed' | 'falseAlarms') => countOf(rows, key);
  return `requirements in ${rows.length} trial${rows.length === 1 ? '' : 's'}: ${count('caught')} caught, ${count('missed')} missed, ${count('falseAlarms')} false alarms`;
}

/** With ` (1/2)` where only one of two samples showed it; without where each did. */
export const caughtText = ({ requirement, samples, showed }: Detected['caught'][number]): string =>
  showed < samples ? `${requirement} (${showed}/${samples})` : requirement;

function shownIn({ samples }: Trial, id: string): { samples: number; showed: number } {
  const showed = samples.filter((sample) => sample.some((v) => v.requirement === id && v.outcome === 'fail')).length;
  return { samples: samples.length, showed };
}

/** What a trial made of a requirement, in one line that can be read without the table. */
function told({ fault, scenario, verdicts, bundle }: Trial, id: string): string {
  const own = verdicts.filter((v) => v.requirement === id);
  const seen = own.flatMap((v) => v.findings.filter((f) => f.outcome === v.outcome).map((f) => f.seen));
  const outcome = own.length ? mergeOutcomes(own.map((v) => v.outcome)) : 'absent';
  return `${fault} in ${scenario}: ${id} ${outcome}${seen.length ? `: ${seen.join('; ')}` : ''} (${bundle})`;
}

function outcomesByRequirement(verdicts: readonly Verdict[]) {
  const ids = [...new Set(verdicts.map((v) => v.requirement))];
  return new Map(
    ids.map((id) => [id, mergeOutcomes(verdicts.filter((v) => v.requirement === id).map((v) => v.outcome))]),
  );
}
