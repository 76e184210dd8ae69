import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caughtText, summaryOf } from './detection.ts';
import type { Detected } from './detection.ts';

/** What a detection run leaves beside its bundles: the table as Markdown and as JSON. */
export const detectionFiles = { markdown: 'detection.md', json: 'detection.json' } as const;

/** Writes both files into the folder of a run. */
export function writeDetection(out: string, rows: readonly Detected[]): void {
  writeFileSync(join(out, detectionFiles.markdown), detectionMarkdown(rows));
  writeFileSync(join(out, detectionFiles.json), `${JSON.stringify(rows, null, 2)}\n`);
}

/** Two tables: what became of each fault, and which faults each requirement was tried with. */
export function detectionMarkdown(rows: readonly Detected[]): string {
  const trials = rows.map(({ fault, scenario, caught, missed, falseAlarms, undecided }) => [
    `\`${fault}\``,
    scenario,
    caught.map(caughtText).join(' '),
    missed.map(({ requirement, outcome }) => `**${requirement}** (${outcome})`).join(' '),
    falseAlarms.map((id) => `**${id}**`).join(' '),
    undecided.map(({ requirement, outcome }) => `${requirement} (${outcome})`).join(' '),
  ]);
  const tried = new Map<string, { caught: string[]; missed: string[] }>();
  const of = (id: string) => tried.get(id) ?? tried.set(id, { caught: [], missed: [] }).get(id);
  for (const { fault, scenario, caught, missed } of rows) {
    for (const { requirement } of caught) of(requirement)?.caught.push(`\`${fault}\` in ${scenario}`);
    for (const { requirement } of missed) of(requirement)?.missed.push(`\`${fault}\` in ${scenario}`);
  }
  const requirements = [...tried].sort(([a], [b]) => a.localeCompare(b));
  return [
    '# Detection',
    '',
    summaryOf(rows),
    '',
    ...table(['fault', 'scenario', 'caught', 'missed', 'false alarm', 'undecided'], trials),
    '',
    '## By requirement',
    '',
    ...table(
      ['requirement', 'caught', 'missed'],
      requirements.map(([id, { caught, missed }]) => [id, caught.join('<br>'), missed.join('<br>')]),
    ),
    '',
  ].join('\n');
}

const table = (head: string[], rows: string[][]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
