import type { WatchType } from './watched.ts';

/** One line of a watch. */
export interface WatchLine<T> {
  type: WatchType | 'BOOKMARK' | 'ERROR';
  object: T & { code?: number; message?: string };
}

/** Undefined where the line is no JSON, or not what a watch sends. */
export function parseLine<T>(line: string): WatchLine<T> | undefined {
  try {
    const { type, object } = JSON.parse(line) as WatchLine<{ metadata?: { name?: unknown } }>;
    const known = ['ADDED', 'MODIFIED', 'DELETED'].includes(type) && typeof object.metadata?.name === 'string';
    const whole = known || type === 'ERROR' || (type === 'BOOKMARK' && typeof object.metadata === 'object');
    return whole && object ? ({ type, object } as unknown as WatchLine<T>) : undefined;
  } catch {
    return undefined;
  }
}
