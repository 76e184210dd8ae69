import { isFields } from '../objects.ts';
import type { Fields } from '../objects.ts';

/** Names that must never be set on a plain object. */
export const unsafe = (name: string): boolean => name === '__proto__';

/** RFC 7386: answers `target` with `patch` merged in; `target` itself is not changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result: Fields = isFields(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (unsafe(name)) continue;
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}
