import { test } from 'node:test';
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { cacheFolder, placesOf } from './places.ts';

test('builds are kept in the cache of the user, or where QUIESCE_CACHE says', () => {
  assert.equal(cacheFolder({}), `${homedir()}/.cache/quiesce`);
  assert.equal(cacheFolder({ XDG_CACHE_HOME: '/c' }), '/c/quiesce');
  assert.equal(cacheFolder({ XDG_CACHE_HOME: '/c', QUIESCE_CACHE: '/d/e' }), '/d/e');
});

test('a folder that the cluster would not see is refused', () => {
  assert.throws(() => cacheFolder({ QUIESCE_CACHE: '/run/cache' }), /\/run\/cache[^]*expected: one outside of \/run/);
  assert.throws(() => placesOf('a', { XDG_STATE_HOME: '/var/log' }), /outside of \/var\/log/);
  assert.equal(placesOf('a', { XDG_STATE_HOME: '/runner' }).state, '/runner/quiesce/a');
});

test('a name is one of a folder, a host and a cgroup', () => {
  for (const name of ['', '..', 'a/b', 'A', '1a', '-a', 'a'.repeat(32)])
    assert.throws(() => placesOf(name), /expected: up to 31 small letters/, name);
  assert.equal(placesOf('a-1').cgroup, 'quiesce-a-1');
});
