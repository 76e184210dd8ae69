import { isFeature } from './features.ts';
import { unknownWords } from './formula.ts';
import { profiles } from './profiles.ts';
import type { Requirement } from './requirement.ts';

const prefix = { gpustack: 'GS', dynamo: 'DY' } as const;
const id = /^(GS|DY)-[A-Z][A-Z0-9]-\d{2}$/;
const hash = /^[0-9a-f]{64}$/;

/**
 * What is wrong with a catalogue, one line each; empty where nothing is. `tolerances` are the names that exist: a
 * formula that uses another has no number for it.
 */
export function checkCatalogue(catalogue: readonly Requirement[], tolerances: readonly string[]): string[] {
  const seen = new Set<string>();
  return catalogue.flatMap((requirement) => {
    const problems = [...checkOne(requirement, tolerances)];
    if (seen.has(requirement.id)) problems.push('stands twice');
    seen.add(requirement.id);
    return problems.map((problem) => `${requirement.id}: ${problem}`);
  });
}

function* checkOne(requirement: Requirement, tolerances: readonly string[]): Generator<string> {
  if (!id.test(requirement.id)) yield 'is no id such as GS-DW-01';
  else if (!requirement.id.startsWith(prefix[requirement.document])) yield `does not belong to ${requirement.document}`;
  if (!/^[A-Z][A-Za-z]*([ -][A-Za-z]+)*$/.test(requirement.section)) {
    yield `section "${requirement.section}" is no heading such as "Drain window"`;
  }
  if (!/[.)]$/.test(requirement.statement)) yield 'its statement is no sentence';
  yield* checkVersions(requirement);
  yield* checkSource(requirement);
  for (const need of requirement.needs) if (!isFeature(need)) yield `needs "${need}", which features.ts does not know`;
  if (requirement.formula !== undefined) {
    const unknown = unknownWords(requirement.formula);
    if (unknown.length > 0) yield `its formula uses ${unknown.join(', ')}, which symbols.ts does not know`;
  }
  for (const name of requirement.tolerances ?? []) {
    if (!tolerances.includes(name)) yield `uses the tolerance "${name}", which has no number`;
  }
}

function* checkVersions({ document, versions, later, outside }: Requirement): Generator<string> {
  if (versions.length === 0) yield 'holds for no version';
  if (versions === 'all') return;
  const other = later?.versions.find((version) => !versions.includes(version));
  if (other !== undefined) yield `is said otherwise in ${other}, for which it does not hold`;
  const unknown = later?.formula === undefined ? [] : unknownWords(later.formula);
  if (unknown.length > 0) yield `its later formula uses ${unknown.join(', ')}, which symbols.ts does not know`;
  const everywhere = Object.values(profiles).every(({ release }) => versions.includes(release));
  if (document === 'gpustack' && !everywhere && outside === undefined)
    yield 'does not say why it holds for some versions only';
}

function* checkSource({ source }: Requirement): Generator<string> {
  if ((source.lines === undefined) !== (source.sentence === undefined))
    yield 'names lines without a sentence, or the reverse';
  if (source.lines === undefined && source.table === undefined) yield 'names neither a sentence nor a table';
  if (source.sentence !== undefined && !hash.test(source.sentence)) yield 'its sentence is no SHA-256';
  if (source.lines !== undefined && source.lines[0] > source.lines[1]) yield 'its lines run backwards';
}
