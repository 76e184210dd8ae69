import type { LinedEvent } from '../../history/reader.ts';
import type { Interval } from '../../time/interval.ts';
import type { Evidence } from '../verdict.ts';

/** An event with the instant of its cause, widened by whatever could have delayed its arrival. */
export interface Mark {
  at: Interval;
  event: LinedEvent;
}

/** The earliest of some marks, by the end of their intervals; shuffled and repeated events do not matter. */
export function earliest<T extends Mark>(marks: readonly T[]): T | undefined {
  let found: T | undefined;
  for (const mark of marks) if (!found || mark.at[1] < found.at[1]) found = mark;
  return found;
}

export const evidence = (mark: Mark, what: string): Evidence => ({
  line: mark.event.line,
  seq: mark.event.seq,
  at: mark.at,
  what,
});

/** A stand-in for "since ever" and "for ever". */
export const NEVER = Number.POSITIVE_INFINITY;
