import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Rule } from '../../src/cluster/rights.ts';
import { manifestsFolder, readManifest } from '../../src/systems/gpustack/manifests.ts';
import { roles, rulesOf } from './rules.ts';

const rights = (rules: readonly Rule[]): string[] =>
  rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`))),
  );

test('a user of our roles may do all that the operator’s double may: nobody can give a right that they lack', () => {
  const operator = readManifest(join(manifestsFolder(), 'operator/rbac.yaml')).find((o) => o.kind === 'ClusterRole');
  const given = new Set([...rights(rulesOf(roles.run)), ...rights(rulesOf(roles.doubles))]);
  const lacking = rights(operator?.['rules'] as Rule[]).filter((right) => !given.has(right));
  assert.deepEqual(lacking, []);
});

test('each right stands in one rule, so that preflight can name the one that is missing', () => {
  const all = [...rights(rulesOf(roles.run)), ...rights(rulesOf(roles.doubles))];
  assert.deepEqual(
    all.filter((right, i) => all.indexOf(right) !== i),
    [],
  );
});
