import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles, LOCK_FILE, MANIFEST_FILE, sealBroken } from './hashes.ts';
import { readManifest } from './reader.ts';

/**
 * What is not as the run left it, by path; empty where nothing changed. Compares every file of a bundle with the hashes
 * that its run left in the manifest, the manifest itself included. verdicts.json is derived and not looked at: only
 * judging again tells whether it is right.
 * @throws BundleError where there is no manifest that can be read
 */
export function verifyBundle(folder: string): string[] {
  const manifest = readManifest(folder);
  const { [MANIFEST_FILE]: own, ...expected } = manifest.hashes;
  if (own === undefined && manifest.ended === undefined)
    return [`${MANIFEST_FILE}: unsealed: the run was killed before it could end its bundle`];
  const found: string[] = existsSync(join(folder, LOCK_FILE)) ? [`${LOCK_FILE}: added`] : [];
  if (sealBroken(manifest, readFileSync(join(folder, MANIFEST_FILE), 'utf8'))) {
    found.push(`${MANIFEST_FILE}: changed: its own hash is gone or does not fit its text`);
  }
  const actual = hashFiles(folder);
  for (const [path, hash] of Object.entries(expected)) {
    const now = actual[path];
    if (now === undefined) found.push(`${path}: missing`);
    else if (now !== hash) found.push(`${path}: changed: SHA-256 is ${now}, was ${hash}`);
  }
  for (const path of Object.keys(actual)) if (!Object.hasOwn(expected, path)) found.push(`${path}: added`);
  return found.sort();
}
