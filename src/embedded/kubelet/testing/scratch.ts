import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Launch } from '../host-process.ts';

/** A temp folder that is removed after the test. */
export function scratch(t: TestContext): string {
  const { folder, remove } = scratchFolder();
  t.after(remove);
  return folder;
}

export function scratchFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-test-kubelet-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Writes a Node program and answers how to start it. */
export function nodeProgram(folder: string, name: string, source: string): Launch['program'] {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, source);
  return { file: process.execPath, args: [path] };
}

/** A shell script as a program of the host. */
export const shell = (script: string): Launch['program'] => ({ file: '/bin/sh', args: ['-c', script, 'sh'] });

/** Waits for a fact that no event tells of, at most `ms` of the wall. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 5000,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether a process is there and no zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function assertDefined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected a value, saw undefined');
  return value;
}
