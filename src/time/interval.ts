/**
 * An instant or a duration that is known only to lie between two bounds, both in milliseconds.
 * Every measured time in quiesce is one of these: a verdict compares whole intervals, never their middles.
 */
export type Interval = readonly [lo: number, hi: number];

/** An instant known exactly. */
export const exactly = (at: number): Interval => [at, at];

/** The smallest interval that holds both. */
export const hull = (a: Interval, b: Interval): Interval => [Math.min(a[0], b[0]), Math.max(a[1], b[1])];

/** Whether `a` is certainly before `b`, certainly not, or undecided. */
export function before(a: Interval, b: Interval): 'yes' | 'no' | 'undecided' {
  if (a[1] < b[0]) return 'yes';
  if (a[0] >= b[1]) return 'no';
  return 'undecided';
}
