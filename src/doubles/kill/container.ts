import { readdirSync, readFileSync } from 'node:fs';
import { environment } from '../../embedded/environment.ts';

/** A process of the container in which this one runs. */
export interface Inmate {
  pid: number;
  started: number;
  command: string;
}

/**
 * The other processes of this container, oldest first. A Pod of the process kubelet has no process numbers of its own, so its
 * processes are those that have the container's folder for their root.
 */
export function inmates(): Inmate[] {
  const root = process.env[environment.root];
  if (!root) return [];
  const own = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        const variables = readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0');
        if (!variables.includes(`${environment.root}=${root}`)) return [];
        // The start time is field 22 of the line; the second field may hold spaces and ends with the last bracket.
        const fields = readFileSync(`/proc/${entry}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').join(' ').trim();
        return [{ pid: Number(entry), started: Number(fields[19]), command }];
      } catch {
        return []; // gone meanwhile, or another user's
      }
    });
  return own.sort((a, b) => a.started - b.started || a.pid - b.pid);
}

/** `-INT`, `-SIGINT`, `INT` as the name of a signal. */
export const signalName = (word: string): string => `SIG${word.replace(/^-?(SIG)?/, '')}`;
