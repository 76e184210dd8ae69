import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inProfile } from './in-profile.ts';
import { DEFAULT_PROFILE, findProfile, nearestProfiles, profileNames, profileOf } from './profiles.ts';
import type { Requirement } from './requirement.ts';

const refused: Requirement = {
  id: 'GS-RP-26',
  document: 'gpustack',
  section: 'Retirement protocol',
  level: 'MUST',
  statement: 'Refused.',
  source: { page: 'the page', table: 'a table' },
  versions: ['v0.9.2', 'v0.10.0'],
  outside: 'it was taken out',
  later: { versions: ['v0.10.0'], statement: 'It waits.', formula: 'delete >= started + G' },
  needs: [],
};
const [v9, v10, v11] = profileNames.map(profileOf) as [ReturnType<typeof profileOf>, ...ReturnType<typeof profileOf>[]];

test('a profile is found by its whole name, and a wrong one has near ones', () => {
  assert.equal(findProfile('gpustack-v0.10')?.release, 'v0.10.0');
  assert.equal(findProfile(DEFAULT_PROFILE)?.split, 'refused');
  for (const name of ['v0.10', 'toString', '', 'gpustack']) assert.equal(findProfile(name), undefined);
  assert.deepEqual(nearestProfiles('v0.10'), ['gpustack-v0.10']);
  assert.deepEqual(nearestProfiles('GPUStack-0.11'), ['gpustack-v0.11']);
  assert.ok(nearestProfiles('gpustack-v0.12').includes('gpustack-v0.11'));
  assert.deepEqual(nearestProfiles('kubernetes-1.34'), []);
});

test('a requirement is what the release of the profile makes of it', () => {
  assert.deepEqual(inProfile(refused, v9), { holds: true, statement: 'Refused.', page: 'the page', later: false });
  assert.deepEqual(inProfile(refused, v10!), {
    holds: true,
    statement: 'It waits.',
    formula: 'delete >= started + G',
    page: 'GPUStack operator v0.10.0, Model Deployment Shutdown',
    later: true,
  });
  assert.deepEqual(inProfile(refused, v11!), {
    holds: false,
    reason: 'GS-RP-26 holds for v0.9.2, v0.10.0, not for v0.11.2 (profile gpustack-v0.11): it was taken out',
  });
  const { later: _, ...other } = refused;
  assert.ok(inProfile({ ...other, versions: 'all' }, v11!).holds);
  assert.ok(inProfile({ ...other, document: 'dynamo' }, v11!).holds);
});
