import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../cluster/rest.ts';

/** Any JSON object. */
export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at a field, or an empty one: for reading what may be absent. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

export const listOf = <T = Fields>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

/** A field as text where it is a text, a number or a truth value; else the fallback. */
export const textField = (value: unknown, fallback = ''): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : fallback;

/** What Go's decoder calls a JSON value of the wrong type. */
export const goType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value;

/** The value at a path of field names; undefined where it ends early. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((holder, name) => (isFields(holder) ? holder[name] : undefined), value);

/** A deep copy of a JSON value; much faster than structuredClone. */
export const clone = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

export const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

/** A time as Kubernetes writes it: whole seconds, cut and not rounded. */
export const stamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Sets a field where it is absent or null. */
export function fill(target: Fields, defaults: Fields): void {
  for (const [name, value] of Object.entries(defaults)) target[name] ??= value;
}

export const specOf = (object: KubeObject): Fields => fieldsOf(object['spec']);
export const statusOf = (object: KubeObject): Fields => fieldsOf(object['status']);
