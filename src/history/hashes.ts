import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { manifestSchema } from './manifest.ts';
import type { Manifest } from './manifest.ts';

export const MANIFEST_FILE = 'manifest.json';
export const HISTORY_FILE = 'history.jsonl';
export const VERDICTS_FILE = 'verdicts.json';
export const LOCK_FILE = '.lock';

/** Files that are derived, or that carry the hashes: they have none of their own in the list of the rest. */
const unhashed: readonly string[] = [MANIFEST_FILE, VERDICTS_FILE, LOCK_FILE];

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Entry {
  /** Relative, with `/`. */
  path: string;
  /** False for a link, a pipe and the like: no run writes one, and reading it may lead anywhere or never end. */
  plain: boolean;
}

/** All files under `folder`, sorted by path. */
function filesOf(folder: string, under = ''): Entry[] {
  return readdirSync(join(folder, under), { withFileTypes: true })
    .flatMap((entry) => {
      const path = posix.join(under, entry.name);
      return entry.isDirectory() ? filesOf(folder, path) : [{ path, plain: entry.isFile() }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** SHA-256 of every file of a bundle that is not derived; `without` names files that are in the making. */
export function hashFiles(folder: string, without: readonly string[] = []): Record<string, string> {
  const files = filesOf(folder).filter(({ path }) => !unhashed.includes(path) && !without.includes(path));
  return Object.fromEntries(
    files.map(({ path, plain }) => [path, plain ? sha256(readFileSync(join(folder, path))) : 'that of no plain file']),
  );
}

/** The bytes of manifest.json. */
export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`;

/** The manifest with its own hash among the others: the hash of its text without that entry. */
export function sealManifest(manifest: Manifest, hashes: Record<string, string>): Manifest {
  // Parsed, so that a reader that parses it writes the same text again.
  const open = manifestSchema.parse({ ...manifest, hashes });
  return { ...open, hashes: { ...hashes, [MANIFEST_FILE]: sha256(manifestText(open)) } };
}

/** Whether the manifest's own hash, which a run that ended has left in it, is gone or does not fit its text. */
export function sealBroken(manifest: Manifest, text: string): boolean {
  const { [MANIFEST_FILE]: own, ...others } = manifest.hashes;
  return own === undefined || text !== manifestText(sealManifest(manifest, others));
}
