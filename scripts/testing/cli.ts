import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
}

/** A folder of the test's own, for bundles and for all that a run puts into the system's temp folder. */
export function scratch(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'qtest-')));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return folder;
}

/** Starts the `quiesce` command as a user would; `temp` is what it takes for the system's temp folder. */
export function start(args: readonly string[], options: { cwd?: string; temp?: string } = {}): Started {
  const child = spawn(process.execPath, [join(root, 'scripts/bin.mjs'), ...args], {
    cwd: options.cwd ?? root,
    // Playwright's cache of transformed sources stays where it is: a cold one costs seconds.
    env: {
      ...process.env,
      ...(options.temp ? { TMPDIR: options.temp, PWTEST_CACHE_DIR: join(tmpdir(), 'playwright-quiesce-test') } : {}),
      NODE_TEST_CONTEXT: undefined,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  // Where it is killed, others may hold its output open for a moment longer.
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, out, err }));
  });
  return { child, ended };
}

/** Runs the `quiesce` command to its end. */
export const quiesce = (args: readonly string[], options: { cwd?: string; temp?: string } = {}): Promise<Ended> =>
  start(args, options).ended;

/** What runs in or for a folder: processes that have its path in their command line or their environment. */
export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const said = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1'));
        return said.some((text) => text.includes(folder)) ? [`${pid} ${said[0]?.replaceAll('\0', ' ') ?? ''}`] : [];
      } catch {
        return []; // it has just ended
      }
    });
}

/** Waits for a fact outside this process, of which no event tells. */
export async function until(what: string, fact: () => boolean, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!fact()) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Whether some bundle of a run has recorded what contains `text`. */
export function recorded(out: string, text: string): boolean {
  try {
    const bundles = readdirSync(join(out, 'bundles'));
    return bundles.some((name) => readFileSync(join(out, 'bundles', name, 'history.jsonl'), 'utf8').includes(text));
  } catch {
    return false; // not yet there
  }
}
