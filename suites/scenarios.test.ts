import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceNames, differences } from '../src/requirements/differences.ts';
import { DEFAULT_PROFILE, profileNames } from '../src/requirements/profiles.ts';
import type { Scenario } from '../src/scenario/scenario.ts';
import { scenarios, scenariosOf } from './scenarios.ts';

const ids = (list: readonly Scenario[]): string[] =>
  [...new Set(list.flatMap(({ decides }) => decides.map((d) => d.requirement)))].sort();

test('names of scenarios are their own', () => {
  assert.equal(new Set(scenarios.map(({ id }) => id)).size, scenarios.length);
});

test('no requirement is absent under any profile: each has a scenario that decides it, or says that it is unsupported', () => {
  for (const name of profileNames) assert.deepEqual(ids(scenariosOf(name)), ids(scenariosOf(DEFAULT_PROFILE)), name);
  for (const { id } of scenarios)
    assert.ok(
      profileNames.some((name) => scenariosOf(name).some((s) => s.id === id)),
      id,
    );
});

test('every requirement that a scenario decides is broken by a negative control', () => {
  const broken = new Set(scenarios.flatMap((s) => s.controls.flatMap(({ breaks }) => breaks)));
  assert.deepEqual(
    ids(scenarios).filter((id) => !broken.has(id)),
    [],
  );
});

test('each known difference breaks what it names, and nothing else, in some scenario; all together break the same', () => {
  const broken = (fault: string) =>
    [...new Set(scenarios.flatMap((s) => s.controls.filter((c) => c.fault === fault).flatMap((c) => c.breaks)))].sort();
  for (const name of differenceNames) assert.deepEqual(broken(name), [...differences[name].breaks], name);
  const together = [...new Set(differenceNames.flatMap((name) => differences[name].breaks))].sort();
  assert.deepEqual(broken('as-implemented'), together);
  assert.deepEqual(together, ['GS-DW-01', 'GS-RP-10', 'GS-RP-25', 'GS-RP-26']);
});
