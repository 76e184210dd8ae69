/** A fact that did not come about. */
export class NotSeen extends Error {
  readonly code = 'QUIESCE_NOT_SEEN';
  constructor(message: string) {
    super(message);
    this.name = 'NotSeen';
  }
}

export interface Waiting {
  /** Seconds of the wall until the wait is given up. */
  seconds: number;
  /** Why the fact can no longer come about, where that is known: a program that ended, with its last words. */
  hopeless?: () => string | undefined;
  /** What to look at where it did not come about in time. */
  look?: () => string;
}

/** Milliseconds between two looks at a fact that no event tells of. */
const EVERY = 50;

/** Waits for a fact of another process. An error of `fact` is taken for "not yet" and told at the end. @throws NotSeen */
export async function until(what: string, fact: () => Promise<boolean> | boolean, waiting: Waiting): Promise<void> {
  const end = performance.now() + waiting.seconds * 1000;
  for (;;) {
    let seen = '';
    try {
      if (await fact()) return;
    } catch (error) {
      seen = `; last seen: ${(error as Error).message}`;
    }
    const reason = waiting.hopeless?.();
    if (reason !== undefined) throw new NotSeen(`${what} will not come: ${reason}`);
    if (performance.now() > end)
      throw new NotSeen(`waited ${waiting.seconds} s for ${what}${seen}${waiting.look ? `\n${waiting.look()}` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
}
