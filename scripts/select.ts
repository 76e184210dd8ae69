import type { Scenario } from '../src/scenario/scenario.ts';
import { scenarios } from '../suites/scenarios.ts';
import { catalogue } from '../suites/catalogue.ts';
import { didYouMean, UsageError } from './usage-error.ts';

/** Whether a name matches a pattern in which `*` stands for any characters and `?` for one. */
function glob(name: string, pattern: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(name);
}

const decided = (s: Scenario): string[] => s.decides.map((d) => d.requirement);

/**
 * The scenarios that a selection names: by scenario id, by requirement id (every scenario that decides it), by a glob
 * over either, or by tag. An empty selection is every scenario.
 * @throws UsageError for a word that names nothing
 */
export function selectScenarios(words: readonly string[], tags: readonly string[]): Scenario[] {
  const knownTags = [...new Set(scenarios.flatMap((s) => s.tags ?? []))];
  for (const tag of tags) {
    if (knownTags.includes(tag)) continue;
    throw new UsageError(
      `no scenario has the tag "${tag}" ${didYouMean(tag, knownTags)}`.trim(),
      `one of: ${knownTags.join(', ') || 'none is used'}`,
      'quiesce list',
    );
  }
  const chosen = new Set<Scenario>();
  for (const word of words) {
    const found = scenarios.filter((s) => glob(s.id, word) || decided(s).some((id) => glob(id, word.toUpperCase())));
    if (found.length === 0) throw unknown(word);
    for (const s of found) chosen.add(s);
  }
  const base = words.length ? [...chosen] : [...scenarios];
  return tags.length ? base.filter((s) => tags.some((tag) => s.tags?.includes(tag))) : base;
}

function unknown(word: string): UsageError {
  const ids = catalogue.map((r) => r.id);
  if (ids.includes(word.toUpperCase())) {
    return new UsageError(
      `no scenario decides ${word.toUpperCase()} yet`,
      'a requirement with a scenario',
      'quiesce list shows which are covered',
    );
  }
  const known = [...scenarios.map((s) => s.id), ...ids];
  return new UsageError(
    `"${word}" is neither a scenario nor a requirement; ${didYouMean(word, known)}`.replace(/; $/, ''),
    'a scenario id, a requirement id such as GS-DW-07, or a glob such as "GS-DW-*"',
    'quiesce list',
  );
}
