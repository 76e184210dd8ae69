import { build } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { environment } from '../../embedded/environment.ts';

/** Bundles doubles as scripts/build.mjs does, into a folder of the test's own; answers the path of each by name. */
export async function bundleDoubles(...names: string[]): Promise<{ paths: Record<string, string>; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-doubles-'));
  const doubles = fileURLToPath(new URL('..', import.meta.url));
  await build({
    entryPoints: Object.fromEntries(names.map((name) => [name, join(doubles, name, 'main.ts')])),
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  });
  return {
    paths: Object.fromEntries(names.map((name) => [name, join(folder, `${name}.mjs`)])),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Started {
  child: ChildProcess;
  lines: string[];
  /** Settles with the first (or nth) line, past or to come, that matches. */
  line(pattern: RegExp, nth?: number): Promise<string>;
  /** Settles when the process has ended and its output was read. */
  exited: Promise<{ code: number | null; signal: string | null; at: number }>;
}

export interface StartOptions {
  podIP?: string;
  scale?: number;
  faults?: string[];
  env?: Record<string, string>;
  /** Leaves its standard output to the caller. */
  raw?: boolean;
}

/** Starts a bundled double as the process kubelet would. */
export function start(path: string, args: readonly string[], options: StartOptions = {}): Started {
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      [environment.podIP]: options.podIP ?? '127.0.0.1',
      [environment.timeScale]: String(options.scale ?? 5),
      [environment.faults]: (options.faults ?? []).join(','),
      ...options.env,
    },
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  if (!options.raw)
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      for (const check of [...waiting]) check();
    });
  const exited = once(child, 'close').then(([code, signal]: unknown[]) => ({
    code: code as number | null,
    signal: signal as string | null,
    at: performance.now(),
  }));
  const line = (pattern: RegExp, nth = 1) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const found = lines.filter((text) => pattern.test(text))[nth - 1];
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
      void exited.then(() => reject(new Error(`ended without a line ${pattern}:\n${lines.join('\n')}`)));
    });
  return { child, lines, line, exited };
}
