import type { Seconds } from '../../time/scale.ts';
import type { Journal } from './journal.ts';

/**
 * The grace period of the environment. What is no number is told and gives the default, a negative one is told and gives 0,
 * as the release's own shutdown utility does.
 */
export function graceOf(name: string, text: string | undefined, unset: Seconds, tell: Journal): Seconds {
  if (text === undefined) return unset;
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isNaN(value)) {
    tell('WARN', `Invalid ${name}='${text}'; using default ${unset.toFixed(1)}`);
    return unset;
  }
  if (value < 0) {
    tell('WARN', `Negative ${name}='${text}'; using 0`);
    return 0;
  }
  return value;
}

/** A timeout in whole seconds; what is no such number gives the default without a word. */
export const wholeSeconds = (text: string | undefined, unset: Seconds): Seconds =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : unset;
