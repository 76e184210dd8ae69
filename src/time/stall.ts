import { now } from './clock.ts';
import { Delays } from './delays.ts';
import type { DelaySummary } from './delays.ts';

/** Milliseconds between two ticks of a stall meter. */
export const TICK_MS = 10;

/** A tick later than this many milliseconds is a stall; what is seen a little later is allowed for everywhere (20 ms). */
export const LATE_MS = 20;

/** Tells of a stretch, in milliseconds of the harness's clock, in which nothing could be seen or done in time. */
export type OnStall = (from: number, to: number) => void;

export interface StallMeter {
  stop(): void;
  /** How late the ticks came. */
  summary(): DelaySummary;
}

/** Measures all the time how late this process's event loop is, and tells of each stall from the tick before it. */
export function meterLoop(onStall: OnStall): StallMeter {
  const delays = new Delays();
  let last = now();
  const timer = setInterval(() => {
    const at = now();
    const late = at - last - TICK_MS;
    delays.add(late);
    if (late > LATE_MS) onStall(last, at);
    last = at;
  }, TICK_MS);
  timer.unref();
  return { stop: () => clearInterval(timer), summary: () => delays.summary() };
}
