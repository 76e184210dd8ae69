import type { Readable } from 'node:stream';

/** At most this many bytes are taken from one pipe in each slice of time: about 10 MB/s, so that a flood of output blocks its writer and not the kubelet. */
const SLICE_BYTES = 256 * 1024;
const SLICE_MS = 25;

/** Reads a pipe at a bounded rate; the answer lifts the bound, for the rest of a program that has ended. */
export function throttle(stream: Readable, take: (chunk: Buffer) => void): () => void {
  let taken = 0;
  let bounded = true;
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    timer = undefined;
    taken = 0;
    stream.resume();
  };
  stream.on('data', (chunk: Buffer) => {
    take(chunk);
    if (!bounded) return;
    taken += chunk.length;
    if (taken >= SLICE_BYTES) {
      stream.pause();
      timer ??= setTimeout(next, SLICE_MS);
    } else if (!timer) {
      timer = setTimeout(next, SLICE_MS);
    }
  });
  return () => {
    bounded = false;
    clearTimeout(timer);
    stream.resume();
  };
}
