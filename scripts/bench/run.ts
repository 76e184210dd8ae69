import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBundle } from '../../src/history/bundle.ts';

export interface RunBench {
  scenarios: number;
  code: number | null;
  /** Seconds of the wall from the start of the command to its end. */
  wall: number;
  /** The scenario with the longest chain of waits, and the seconds of the wall from its deploy to its window's end. */
  longest: { scenario: string; seconds: number };
  /** Sum of the chains of all scenarios, in seconds of the wall: what they would take one after the other. */
  sum: number;
}

/** Seconds of the wall from the deploy of a bundle's scenario to the end of its window: waits that nothing can shorten. */
function chainOf(folder: string): { scenario: string; seconds: number } | undefined {
  const { manifest, events } = readBundle(folder);
  const from = events.find((e) => e.kind === 'phase' && e.data.name === 'deploy');
  const to = events.find((e) => e.kind === 'window.ended');
  return from && to && { scenario: manifest.scenario.id, seconds: (to.at[1] - from.at[1]) / 1000 };
}

/** Runs the selected scenarios once, by the command itself, into a folder that is removed afterwards. */
export async function benchRun(selection: readonly string[]): Promise<RunBench> {
  const out = mkdtempSync(join(tmpdir(), 'qbench-'));
  try {
    const bin = fileURLToPath(new URL('../bin.mjs', import.meta.url));
    const from = performance.now();
    // Its table is not ours; what it says as it goes on is.
    const child = spawn(process.execPath, [bin, 'run', ...selection, '--out', join(out, 'run')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const wall = (performance.now() - from) / 1000;
    const bundles = join(out, 'run', 'bundles');
    const chains = readdirSync(bundles).flatMap((name) => chainOf(join(bundles, name)) ?? []);
    const longest = chains.reduce((a, b) => (b.seconds > a.seconds ? b : a), { scenario: 'none', seconds: 0 });
    return { scenarios: chains.length, code, wall, longest, sum: chains.reduce((sum, c) => sum + c.seconds, 0) };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
