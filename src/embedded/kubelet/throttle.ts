import type { Readable } from 'node:stream';

/**
 * At most this many bytes are taken from one pipe in each slice of time, about 10 MB/s or 100 000 short lines a second, so
 * that a flood of output blocks its writer and not the kubelet.
 */
const SLICE_BYTES = 256 * 1024;
/** What a line costs beside its bytes. */
const LINE_BYTES = 100;
const SLICE_MS = 25;

/** Reads a pipe at a bounded rate; `take` answers how many lines it found. The answer lifts the bound, for the rest of a program that has ended. */
export function throttle(stream: Readable, take: (chunk: Buffer) => number): () => void {
  let taken = 0;
  let bounded = true;
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    timer = undefined;
    taken = 0;
    stream.resume();
  };
  stream.on('data', (chunk: Buffer) => {
    const lines = take(chunk);
    if (!bounded) return;
    taken += chunk.length + lines * LINE_BYTES;
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
