import { differences } from '../../suites/parity/differences.ts';
import type { Difference } from '../../suites/parity/difference.ts';
import { compare, explains, said } from './compare.ts';
import type { Unequal } from './compare.ts';
import type { Answers } from './experimenting.ts';

export interface Verdict {
  /** Experiments without any difference. */
  equal: number;
  /** One line each. */
  unexplained: string[];
  explained: { difference: Difference; times: number }[];
}

/** Characters of a value that are shown. */
const SHOWN = 300;

/**
 * Compares the answers of two clusters. An experiment that one of them did not answer is unexplained, and so is one that
 * broke off; where `whole`, a listed difference that nothing shows is too.
 */
export function judge(
  ids: readonly string[],
  real: Answers,
  embedded: Answers,
  whole: boolean,
  listed: readonly Difference[] = differences,
): Verdict {
  const times = new Map(listed.map((difference) => [difference, 0]));
  const unexplained: string[] = [];
  let equal = 0;
  for (const id of ids) {
    if (!(id in real)) unexplained.push(`${id}: no real cluster has answered it yet; record it`);
    else if (!(id in embedded)) unexplained.push(`${id}: not performed on the embedded cluster`);
    else {
      unexplained.push(...broken(id, 'real', real[id]), ...broken(id, 'embedded', embedded[id]));
      const found = compare(id, real[id], embedded[id]);
      if (found.length === 0) equal += 1;
      for (const unequal of found) {
        const difference = listed.find((it) => explains(it, unequal));
        if (difference) times.set(difference, (times.get(difference) ?? 0) + 1);
        else unexplained.push(told(unequal));
      }
    }
  }
  const explained = [...times].map(([difference, count]) => ({ difference, times: count }));
  if (whole) {
    for (const { difference, times: count } of explained) {
      if (count === 0) unexplained.push(`listed and not seen: ${difference.experiment} at ${difference.at}`);
    }
  }
  return { equal, unexplained, explained: explained.filter(({ times: count }) => count > 0) };
}

/** An experiment that broke off, or waited in vain, says nothing even where both did. */
function broken(id: string, where: string, answer: unknown): string[] {
  return (answer as { step: string; error?: string; late?: unknown }[])
    .filter(({ step, late }) => step === 'broken' || late !== undefined)
    .map(({ step, error, late }) => `${id}: ${where}: ${step}: ${error ?? `late: ${said(late)}`}`);
}

const told = ({ experiment, at, real, embedded }: Unequal) =>
  `${experiment}: ${at}\n    real     ${said(real).slice(0, SHOWN)}\n    embedded ${said(embedded).slice(0, SHOWN)}`;

/** A verdict, for a person to read. */
export function tell({ unexplained, explained }: Verdict): string[] {
  const byReason = new Map<string, { open: boolean; fields: number; experiments: Set<string> }>();
  for (const { difference, times } of explained) {
    const { reason, open = false, experiment } = difference;
    const told = byReason.get(reason) ?? { open, fields: 0, experiments: new Set() };
    byReason.set(reason, told);
    told.fields += times;
    told.experiments.add(experiment);
  }
  const lines = [...byReason].map(([reason, { open, fields, experiments }]) => {
    const where = `${fields} fields of ${experiments.size} experiments`;
    return `${open ? 'open' : 'stays'}: ${reason} (${where})`;
  });
  return [...lines.sort(), ...unexplained];
}
