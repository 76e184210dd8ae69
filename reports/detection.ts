import { colours as pc } from './colours.ts';
import { plainTable } from './plain-table.ts';
import { mergeOutcomes } from '../src/judge/outcomes.ts';
import type { Verdict } from '../src/judge/verdict.ts';

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
  /** Requirements that the fault should have broken and that did not fail. */
  missed: number;
  /** Requirements that failed although no control names them. */
  falseAlarms: number;
  passed: number;
  failed: number;
}

/** Requirements × faults: what each fault broke, what it should have broken and did not, and what failed besides. */
export function detectionTable(trials: readonly Trial[]): Detection {
  const cells: string[][] = [];
  let missed = 0;
  let falseAlarms = 0;
  let caughtAll = 0;
  let failed = 0;
  const wrong: string[] = [];
  for (const trial of trials) {
    const outcome = outcomesByRequirement(trial.verdicts);
    const broke = [...outcome].filter(([, o]) => o === 'fail').map(([id]) => id);
    const caught = broke.filter((id) => trial.breaks.includes(id));
    const notCaught = trial.breaks.filter((id) => !broke.includes(id));
    const others = broke.filter((id) => !trial.breaks.includes(id));
    const undecided = [...outcome].filter(([id, o]) => o !== 'pass' && o !== 'fail' && !trial.breaks.includes(id));
    missed += notCaught.length;
    falseAlarms += others.length;
    caughtAll += caught.length;
    if (notCaught.length + others.length > 0) failed += 1;
    wrong.push(...notCaught.map((id) => `missed: ${told(trial, id)}`));
    wrong.push(...others.map((id) => `false alarm: ${told(trial, id)}`));
    cells.push([
      trial.fault,
      trial.scenario,
      pc.green(caught.map((id) => `${id}${inHowMany(trial, id)}`).join(' ')),
      pc.red(notCaught.map((id) => `${id} (${outcome.get(id) ?? 'absent'})`).join(' ')),
      pc.red(others.join(' ')),
      pc.dim(undecided.map(([id, o]) => `${id} ${o}`).join(' ')),
    ]);
  }
  const head = ['fault', 'scenario', 'caught', 'missed', 'false alarm', 'undecided'];
  const table = plainTable(head, [32, 23, 'rest', 17, 10, 15], cells);
  const summary = `requirements in ${trials.length} trial${trials.length === 1 ? '' : 's'}: ${caughtAll} caught, ${missed} missed, ${falseAlarms} false alarms`;
  return { text: [table, ...wrong, summary].join('\n'), missed, falseAlarms, passed: trials.length - failed, failed };
}

/** ` (1/2)` where only one of two samples showed it; nothing where each did. */
function inHowMany({ samples }: Trial, id: string): string {
  const showed = samples.filter((sample) => sample.some((v) => v.requirement === id && v.outcome === 'fail')).length;
  return showed < samples.length ? ` (${showed}/${samples.length})` : '';
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
