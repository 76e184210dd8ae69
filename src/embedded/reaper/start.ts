import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeOwner } from './owner.ts';

/** A watcher in another process that outlives the cluster. */
export interface Reaper {
  pid: number;
  /** The cluster has ended in order: the reaper clears away what may be left, its folder included, and ends. */
  release(): Promise<void>;
}

export interface ReaperOptions {
  clusterId: string;
  /** The cluster's own folder, `quiesce-ID-*` in the system's temp folder; it is removed in the end. */
  folder: string;
  /** Path of the bundled reaper. Default: beside the bundle that this runs in, or the source through tsx. */
  program?: string;
}

/**
 * Starts the reaper of a cluster in a session of its own, and says in the folder that the cluster lives in this process.
 * @throws Error (as a rejection) where no process can be started
 */
export function startReaper({ clusterId, folder, program }: ReaperOptions): Promise<Reaper> {
  writeOwner(folder, clusterId);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...entry(program), clusterId, folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '' },
    });
    child.once('error', reject);
    const { pid } = child;
    if (pid === undefined) return;
    const ended = new Promise<void>((settle) => child.once('exit', () => settle()));
    child.unref();
    child.stdin.on('error', () => {});
    (child.stdin as unknown as { unref?(): void }).unref?.();
    resolve({
      pid,
      release: () => {
        child.ref();
        child.stdin.end();
        return ended;
      },
    });
  });
}

function entry(program: string | undefined): string[] {
  if (program) return [program];
  const bundled = fileURLToPath(new URL('./reaper.mjs', import.meta.url));
  if (existsSync(bundled)) return [bundled];
  return ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('./main.ts', import.meta.url))];
}
