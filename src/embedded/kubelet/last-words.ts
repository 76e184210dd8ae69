import { open } from 'node:fs/promises';
import type { LogBuffer } from './log-buffer.ts';
import type { ContainerSpec } from './pod.ts';
import { inRoot, TERMINATION_MESSAGE_PATH } from './root-folder.ts';

/** Bytes of a termination message; of one that is taken from the log, bytes and lines. Kubernetes' limits. */
const LONGEST = 4096;
const LONGEST_LOG = 2048;
const LOG_LINES = 80;

/** What a container left to be told in its status: the file that it wrote, or the end of its log after an error. */
export async function lastWords(
  spec: ContainerSpec,
  root: string,
  log: LogBuffer,
  exitCode: number,
): Promise<string | undefined> {
  const written = await head(inRoot(root, spec.terminationMessagePath ?? TERMINATION_MESSAGE_PATH));
  if (written) return written;
  if (spec.terminationMessagePolicy !== 'FallbackToLogsOnError' || exitCode === 0) return undefined;
  const lines = log.lines().slice(-LOG_LINES);
  const text = lines.map((line) => `${line.text}\n`).join('');
  return text.slice(-LONGEST_LOG);
}

async function head(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST), 0, LONGEST, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return ''; // nothing was written
  }
}
