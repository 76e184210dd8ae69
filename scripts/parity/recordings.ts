import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answers } from './experimenting.ts';

/** What a real cluster answered, one file an area: the first word of an experiment's id. */
const folder = fileURLToPath(new URL('../../suites/parity/recorded', import.meta.url));

interface Recording {
  /** `gitVersion` of the API server that answered last. */
  recordedOn: string;
  answers: Answers;
}

const areaOf = (id: string): string => id.split('.')[0] ?? '';

function read(area: string): Recording | undefined {
  const file = join(folder, `${area}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recording) : undefined;
}

/** The recorded answers of some experiments, and the versions that they come from. */
export function readRecordings(ids: readonly string[]): { answers: Answers; versions: string[] } {
  const found = [...new Set(ids.map(areaOf))].flatMap((area) => read(area) ?? []);
  const answers = Object.assign({}, ...found.map((recording) => recording.answers)) as Answers;
  return { answers, versions: [...new Set(found.map((recording) => recording.recordedOn))] };
}

/** Records answers; those of experiments that were not performed now stay. `all`: every id that there still is. */
export function record(answers: Answers, version: string, all: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const area of new Set(Object.keys(answers).map(areaOf))) {
    const merged = { ...read(area)?.answers, ...answers };
    const kept = all.filter((id) => areaOf(id) === area && id in merged).sort();
    const recording: Recording = {
      recordedOn: version,
      answers: Object.fromEntries(kept.map((id) => [id, merged[id]])),
    };
    writeFileSync(join(folder, `${area}.json`), `${JSON.stringify(recording, null, 1)}\n`);
  }
}
