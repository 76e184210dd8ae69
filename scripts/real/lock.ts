import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Say } from './step.ts';

/**
 * Does `work` while no other process does so under the same lock file. The lock is the kernel's: it is free again as soon
 * as this process has ended, however that came about.
 */
export async function withLock<T>(path: string, say: Say, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  // `cat` reads from this process until one of the two ends. A session of its own keeps Ctrl-C from it.
  const holder = spawn('flock', [path, 'sh', '-c', 'echo locked; exec cat'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const patience = setTimeout(() => say(`another command holds ${path}: waiting for it`), 1000);
  try {
    await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit').then(refused)]);
  } finally {
    clearTimeout(patience);
  }
  try {
    return await work();
  } finally {
    holder.stdin.end();
    holder.unref();
  }
}

const refused = ([code]: unknown[]): never => {
  throw new Error(`flock ended with ${String(code)} before it had the lock`);
};
