import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Places } from '../places.ts';
import { findInit, inside } from '../sandbox.ts';
import { processesBeside } from './machine.ts';

/** The API server of a cluster: its process, and the command line that starts another. */
function apiServer({ name }: Places) {
  const init = findInit(name);
  if (init === undefined) throw new Error(`no cluster ${name} is up`);
  for (const pid of processesBeside(init)) {
    const argv = commandLine(pid);
    if (basename(argv[0] ?? '') === 'kube-apiserver') return { init, pid, argv };
  }
  throw new Error(`no kube-apiserver runs in the cluster ${name}`);
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return []; // it has just ended
  }
}

/** Kills the API server, leaves the cluster without one for `ms` of the wall, and starts it again; it takes a moment more. */
export async function outage(places: Places, ms: number): Promise<void> {
  const { init, pid, argv } = apiServer(places);
  process.kill(pid, 'SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, ms));
  const [file = '', ...args] = inside(init, argv);
  const output = openSync(join(places.log, 'kube-apiserver.log'), 'a');
  spawn(file, args, { detached: true, cwd: '/', stdio: ['ignore', output, output] }).unref();
  closeSync(output);
}
