import { setFlagsFromString } from 'node:v8';
import { duplicate, invalidValue, required, tooLong, tooMany, unsupported, wrongType } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { isFields, same } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { formatHolds } from './formats.ts';
import { below, fieldSchema } from './schema.ts';
import type { Schema } from './schema.ts';

/** What is wrong with a value at `path`, in the words of a real API server. */
export function validate(value: unknown, schema: Schema, path = ''): Cause[] {
  if (value === null && schema.nullable) return [];
  const mistyped = checkType(value, schema, path);
  if (mistyped) return [mistyped, ...checkEnum(value, schema, path)];
  const causes = [...checkEnum(value, schema, path), ...checkCombined(value, schema, path)];
  if (typeof value === 'number') causes.push(...checkNumber(value, schema, path));
  else if (typeof value === 'string') causes.push(...checkString(value, schema, path));
  else if (Array.isArray(value)) causes.push(...checkArray(value, schema, path));
  else if (isFields(value)) causes.push(...checkObject(value, schema, path));
  return causes;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function checkType(value: unknown, schema: Schema, path: string): Cause | undefined {
  const seen = typeOf(value);
  const wrong = (wanted: string) =>
    wrongType(path, seen, `${path} in body must be of type ${wanted}: ${JSON.stringify(seen)}`);
  if (schema['x-kubernetes-int-or-string']) {
    return seen === 'integer' || seen === 'string' ? undefined : wrong('integer,string');
  }
  const { type } = schema;
  if (!type || type === seen || (type === 'number' && seen === 'integer')) return undefined;
  return wrong(type);
}

function checkEnum(value: unknown, schema: Schema, path: string): Cause[] {
  if (!schema.enum || schema.enum.some((allowed) => same(allowed, value))) return [];
  return [unsupported(path, value, schema.enum)];
}

function checkNumber(value: number, schema: Schema, path: string): Cause[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const wrong = (rule: string) => invalidValue(path, value, `${path} in body should be ${rule}`);
  const causes: Cause[] = [];
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    causes.push(wrong(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    causes.push(wrong(`less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  }
  if (multipleOf !== undefined && value % multipleOf !== 0) causes.push(wrong(`a multiple of ${multipleOf}`));
  if (schema.format === 'int32' && Math.abs(value) > 2 ** 31) {
    causes.push(invalidValue(path, value, `${path} in body must be of type int32: ${JSON.stringify(String(value))}`));
  }
  return causes;
}

// A pattern that backtracks without end would stop the whole server: past some steps V8 goes on with its engine that never
// does, as Kubernetes' RE2. It has to be told before the first pattern is compiled.
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

const patterns = new Map<string, RegExp>();

function matches(pattern: string, value: string): boolean {
  let compiled = patterns.get(pattern);
  if (!compiled) patterns.set(pattern, (compiled = new RegExp(pattern)));
  return compiled.test(value);
}

function checkString(value: string, schema: Schema, path: string): Cause[] {
  const causes: Cause[] = [];
  const length = [...value].length;
  if (schema.minLength !== undefined && length < schema.minLength) {
    causes.push(invalidValue(path, value, `${path} in body should be at least ${schema.minLength} chars long`));
  }
  if (schema.maxLength !== undefined && length > schema.maxLength) causes.push(tooLong(path, schema.maxLength));
  if (schema.pattern !== undefined && !matches(schema.pattern, value)) {
    causes.push(invalidValue(path, value, `${path} in body should match '${schema.pattern}'`));
  }
  if (schema.format !== undefined && !formatHolds(schema.format, value)) {
    causes.push(wrongType(path, value, `${path} in body must be of type ${schema.format}: ${JSON.stringify(value)}`));
  }
  return causes;
}

function checkArray(value: unknown[], schema: Schema, path: string): Cause[] {
  const causes: Cause[] = [];
  const { minItems, maxItems, items } = schema;
  if (minItems !== undefined && value.length < minItems) {
    causes.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) causes.push(tooMany(path, value.length, maxItems));
  const kind = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  value.forEach((item, i) => {
    const at = `${path}[${i}]`;
    if (items) causes.push(...validate(item, items, at));
    if (kind !== 'set' && kind !== 'map' && !schema.uniqueItems) return;
    const identity = kind === 'map' && isFields(item) ? Object.fromEntries(keys.map((k) => [k, item[k]])) : item;
    const text = JSON.stringify(identity);
    if (seen.has(text)) causes.push(duplicate(at, identity));
    seen.add(text);
  });
  return causes;
}

function checkObject(value: Fields, schema: Schema, path: string): Cause[] {
  const causes: Cause[] = [];
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) causes.push(required(below(path, name)));
  }
  const size = Object.keys(value).length;
  if (schema.minProperties !== undefined && size < schema.minProperties) {
    causes.push(invalidValue(path, size, `${path} in body should have at least ${schema.minProperties} properties`));
  }
  if (schema.maxProperties !== undefined && size > schema.maxProperties) {
    causes.push(tooMany(path, size, schema.maxProperties));
  }
  for (const [name, field] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const known = fieldSchema(schema, name);
    if (known) causes.push(...validate(field, known, below(path, name)));
  }
  return causes;
}

function checkCombined(value: unknown, schema: Schema, path: string): Cause[] {
  const holds = (part: Schema) => validate(value, part, path).length === 0;
  const wrong = (text: string) => invalidValue(path, value, `${JSON.stringify(path)} ${text}`);
  const causes: Cause[] = (schema.allOf ?? []).flatMap((part) => validate(value, part, path));
  if (schema.anyOf && !schema.anyOf.some(holds)) causes.push(wrong('must validate at least one schema (anyOf)'));
  if (schema.oneOf && schema.oneOf.filter(holds).length !== 1) {
    causes.push(wrong('must validate one and only one schema (oneOf)'));
  }
  if (schema.not && holds(schema.not)) causes.push(wrong('must not validate the schema (not)'));
  return causes;
}
