import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './errors.ts';

/**
 * Makes a folder and those above it; one that is there already is no error. Node's own recursive `mkdirSync` never comes
 * back where a file system answers ENOENT although the parent is there (/proc does).
 * @throws Error with the system's code
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (isFolder(path)) return;
    if (systemCode(error) !== 'ENOENT' || isFolder(dirname(path)) || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path);
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
