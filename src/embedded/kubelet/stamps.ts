import { clockOrigin, now } from '../../time/clock.ts';

/** Time of day as the API writes it: whole seconds, cut and not rounded. */
export const apiTime = (ms: number = Date.now()): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Time of day with microseconds (`MicroTime` of the API). */
export const microTime = (): string => stampAt(now(), 6);

/** RFC 3339 with `digits` fractional digits (6 or 9) of an instant of the monotonic clock. */
export function stampAt(at: number, digits: 6 | 9): string {
  const wall = clockOrigin() + at;
  const whole = Math.floor(wall);
  const micros = Math.floor((wall - whole) * 1000);
  const iso = new Date(whole).toISOString().slice(0, -1);
  return `${iso}${String(micros).padStart(3, '0')}${digits === 9 ? '000' : ''}Z`;
}

/** Waits `ms` of the wall; false where `signal` ended the wait early. */
export function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve(true);
    }, Math.ceil(ms));
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** `promise`, or undefined when `ms` of the wall have passed. */
export function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
