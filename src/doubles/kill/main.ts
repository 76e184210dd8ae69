import { readdirSync, readFileSync } from 'node:fs';
import { environment } from '../../embedded/environment.ts';

/**
 * Stands for `kill -SIGNAL 1` inside a container. A Pod of the process kubelet has no process numbers of its own, so process 1
 * is the oldest one that has the container's folder for its root.
 */
const root = process.env[environment.root];
const [signal = '', target = ''] = process.argv.slice(2);
const name = `SIG${signal.replace(/^-(SIG)?/, '')}`;
const main = target === '1' && root ? oldestOf(`${environment.root}=${root}`) : undefined;
if (main === undefined) {
  console.error(`kill ${signal} ${target}: expected -SIGNAL 1 in a container that runs`);
  process.exit(1);
}
process.kill(main, name);

function oldestOf(variable: string): number | undefined {
  const own = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        if (!readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').includes(variable)) return [];
        // The start time is field 22 of the line; the second field may hold spaces and ends with the last bracket.
        const fields = readFileSync(`/proc/${entry}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return [{ pid: Number(entry), started: Number(fields[19]) }];
      } catch {
        return []; // gone meanwhile, or another user's
      }
    });
  return own.sort((a, b) => a.started - b.started || a.pid - b.pid)[0]?.pid;
}
