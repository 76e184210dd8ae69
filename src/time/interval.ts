/**
 * An instant or a duration that is known only to lie between two bounds, both in milliseconds.
 * Every measured time in quiesce is one of these: a verdict compares whole intervals, never their middles.
 */
export type Interval = readonly [lo: number, hi: number];

/** An instant known exactly. */
export const exactly = (at: number): Interval => [at, at];

/** The interval between two instants: how much later `to` is than `from`, in milliseconds. */
export const between = (from: Interval, to: Interval): Interval => [to[0] - from[1], to[1] - from[0]];

/** `a` moved by a fixed number of milliseconds. */
export const shift = (a: Interval, by: number): Interval => [a[0] + by, a[1] + by];

/** The smallest interval that holds both. */
export const hull = (a: Interval, b: Interval): Interval => [Math.min(a[0], b[0]), Math.max(a[1], b[1])];

/** The later of two instants. */
export const later = (a: Interval, b: Interval): Interval => [Math.max(a[0], b[0]), Math.max(a[1], b[1])];

/** How an interval lies to a bound: wholly inside, wholly outside, or neither. */
export type Position = 'inside' | 'outside' | 'undecided';

/** Where `seen` lies in the closed range `[lowest, highest]`; either end may be infinite. */
export function position(seen: Interval, [lowest, highest]: Interval): Position {
  if (seen[0] >= lowest && seen[1] <= highest) return 'inside';
  if (seen[1] < lowest || seen[0] > highest) return 'outside';
  return 'undecided';
}

/** Whether `a` is certainly before `b`, certainly not, or undecided. */
export function before(a: Interval, b: Interval): 'yes' | 'no' | 'undecided' {
  if (a[1] < b[0]) return 'yes';
  if (a[0] >= b[1]) return 'no';
  return 'undecided';
}
