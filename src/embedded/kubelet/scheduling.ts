import { writeFileSync } from 'node:fs';

/** Niceness of a container's scheduling group: about a tenth of a share. */
const CONTAINER = 10;
/** Milliseconds after which the kernel takes another change from a user without rights: it takes one in 100 ms. */
const AGAIN_MS = 120;

/**
 * Lets a program give way to the cluster and the harness, on whose punctuality every instant depends. Linux gives every
 * session a scheduling group of its own (autogroup), so that each starting engine weighs as much as all of the harness;
 * where there are no such groups nothing is done.
 */
export function giveWay(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(CONTAINER));
  } catch (error) {
    // Another one has just changed its own. Anything else: there are no such groups here, or the program has ended.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') setTimeout(() => giveWay(pid), AGAIN_MS).unref();
  }
}
