import type { Scenario } from '../src/scenario/scenario.ts';
import { DEFAULT_PROFILE, type ProfileName } from '../src/requirements/profiles.ts';
import { onRequest, scenarios, scenariosOf } from '../suites/scenarios.ts';
import { catalogue } from '../suites/catalogue.ts';
import { didYouMean, UsageError } from './usage-error.ts';

/** Whether a name matches a pattern in which `*` stands for any characters and `?` for one. */
function glob(name: string, pattern: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(name);
}

const all: readonly Scenario[] = [...scenarios, ...onRequest];
const decided = (s: Scenario): string[] => s.decides.map((d) => d.requirement);

/**
 * The scenarios that a selection names: by scenario id, by requirement id (every scenario that decides it), by a glob
 * over either, or by tag. An empty selection is every scenario but those that only their id or their tag asks for.
 * @throws UsageError for a word that names nothing, or nothing of the profile
 */
export function selectScenarios(
  words: readonly string[],
  tags: readonly string[],
  profile: ProfileName = DEFAULT_PROFILE,
): Scenario[] {
  const there = scenariosOf(profile, all);
  const knownTags = [...new Set(all.flatMap((s) => s.tags ?? []))];
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
    const deciding = tags.length ? all : scenarios;
    const found = all.filter(
      (s) => glob(s.id, word) || (deciding.includes(s) && decided(s).some((id) => glob(id, word.toUpperCase()))),
    );
    if (found.length === 0) throw unknown(word);
    const own = found.filter((s) => there.includes(s));
    if (own.length === 0) throw ofOthers(word, found, profile);
    for (const s of own) chosen.add(s);
  }
  const base = words.length > 0 ? [...chosen] : there.filter((s) => tags.length > 0 || !onRequest.includes(s));
  return tags.length ? base.filter((s) => tags.some((tag) => s.tags?.includes(tag))) : base;
}

function ofOthers(word: string, found: readonly Scenario[], profile: ProfileName): UsageError {
  const others = [...new Set(found.flatMap((s) => s.profiles ?? []))];
  return new UsageError(
    `"${word}" is of other profiles than ${profile}`,
    'a scenario of this profile',
    `add --profile ${others[0] ?? ''}, or leave "${word}" out: this profile has a scenario of its own for what it decides`,
  );
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
  const known = [...all.map((s) => s.id), ...ids];
  return new UsageError(
    `"${word}" is neither a scenario nor a requirement; ${didYouMean(word, known)}`.replace(/; $/, ''),
    'a scenario id, a requirement id such as GS-DW-07, or a glob such as "GS-DW-*"',
    'quiesce list',
  );
}
