import { fieldTypes } from './types.ts';
import type { FieldType } from './types.ts';

/** Values that are no messages, in the words of OpenAPI. */
const simple: Record<string, object> = {
  s: { type: 'string' },
  i: { type: 'integer', format: 'int64' },
  n: { type: 'number' },
  b: { type: 'boolean' },
  y: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  micro: { type: 'string', format: 'date-time' },
  intstr: { type: 'string', format: 'int-or-string' },
  quantity: { type: 'string' },
  any: { type: 'object' },
};

/** The part of an OpenAPI document that describes a message and all that it holds, by name of message. */
export function components(messages: string[]): Map<string, { type: string; properties: Record<string, object> }> {
  const described = new Map<string, { type: string; properties: Record<string, object> }>();
  const waiting = [...messages];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (described.has(name)) continue;
    const types = fieldTypes(name);
    if (!types) continue;
    const flat = types.flatMap((type) => (type.inline ? (fieldTypes(type.type) ?? []) : [type]));
    described.set(name, {
      type: 'object',
      properties: Object.fromEntries(flat.map((type) => [type.name, shown(type)])),
    });
    waiting.push(...flat.map((type) => type.type));
  }
  return described;
}

function shown({ shape, type }: FieldType): object {
  const one = simple[type] ?? { $ref: `#/components/schemas/${type}` };
  if (shape === '[]') return { type: 'array', items: one };
  return shape === '{}' ? { type: 'object', additionalProperties: one } : one;
}
