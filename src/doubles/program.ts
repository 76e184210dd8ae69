import { closeSync, writeSync } from 'node:fs';
import { environment } from '../embedded/environment.ts';
import { TimeScale } from '../time/scale.ts';

/** What every double knows of the container that it runs in. */
export interface Program {
  /** The Pod's own address; 127.0.0.1 outside of a Pod. */
  podIP: string;
  scale: TimeScale;
  faults: ReadonlySet<string>;
  /** Writes one line to standard output, at once: it is written when the call returns. */
  log: (line: string) => void;
  /** The address to listen on for a `--host` as it would stand in a real container. */
  bind: (host?: string) => string;
}

/**
 * Starts a double: gives the first sign of life, reads the environment and sees to it that an error nobody caught is
 * logged and ends the process with 1.
 * @throws RangeError where the time scale is no number above 0 and at most 100
 */
export function startProgram(env: NodeJS.ProcessEnv = process.env): Program {
  announce(env[environment.aliveFd]);
  process.on('uncaughtException', (error) => {
    log(`uncaught: ${error.stack ?? error.message}`);
    process.exit(1);
  });
  const podIP = env[environment.podIP] || '127.0.0.1';
  const scale = env[environment.timeScale];
  return {
    podIP,
    scale: new TimeScale(scale ? Number(scale) : 1),
    faults: new Set(
      (env[environment.faults] ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
    log,
    bind: (host) => (host === undefined || everywhereOrLoopback.has(host) ? podIP : host),
  };
}

// A Pod of the process kubelet has no network of its own: all of its addresses are its one 127.x address.
const everywhereOrLoopback = new Set(['', '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']);

/** The first sign of life: one byte on the descriptor that the kubelet named. */
function announce(fd: string | undefined): void {
  if (!fd || !/^\d+$/.test(fd)) return;
  try {
    writeSync(Number(fd), '.');
    closeSync(Number(fd));
  } catch {
    // Nobody listens, which is none of the double's business.
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

// Straight to the descriptor: a line that tells the instant of a signal must not wait in a buffer of this process.
function log(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return; // the reader is gone
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}
