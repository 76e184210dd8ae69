import type { Readable } from 'node:stream';

/**
 * At most this many bytes are taken from one pipe in each slice of time, about 10 MB/s or 100 000 short lines a second, so
 * that a flood of output blocks its writer and not the kubelet.
 */
const SLICE_BYTES = 256 * 1024;
/** What a line costs beside its bytes. */
const LINE_BYTES = 100;
const SLICE_MS = 25;

/**
 * Reads a pipe at a bounded rate, and not at all in a slice that begins while whoever is given the chunks is `behind`. The
 * answer lifts the bounds, for the rest of a program that has ended.
 */
export function throttle(stream: Readable, take: (chunk: Buffer) => void, behind: () => boolean): () => void {
  let taken = 0;
  let bounded = true;
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    timer = undefined;
    if (behind()) {
      stream.pause();
      timer = setTimeout(next, SLICE_MS);
      return;
    }
    taken = 0;
    stream.resume();
  };
  stream.on('data', (chunk: Buffer) => {
    take(chunk);
    if (!bounded) return;
    taken += chunk.length + lines(chunk) * LINE_BYTES;
    if (taken >= SLICE_BYTES) stream.pause();
    timer ??= setTimeout(next, SLICE_MS);
  });
  return () => {
    bounded = false;
    clearTimeout(timer);
    stream.resume();
  };
}

function lines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}
