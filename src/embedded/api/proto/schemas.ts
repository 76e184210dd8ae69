import type { Schema } from '../crd/schema.ts';
import { fieldTypes } from './types.ts';
import type { FieldType } from './types.ts';

/** Schemas of values that are no messages. Null stands for an absent value everywhere in built-in kinds. */
const simple: Record<string, Schema> = {
  s: { type: 'string', nullable: true },
  i: { type: 'integer', nullable: true },
  n: { type: 'number', nullable: true },
  b: { type: 'boolean', nullable: true },
  y: { type: 'string', format: 'byte', nullable: true },
  time: { type: 'string', nullable: true },
  micro: { type: 'string', nullable: true },
  intstr: { 'x-kubernetes-int-or-string': true, nullable: true },
  quantity: { anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
};

const built = new Map<string, Schema>();

/** The schema of a message. Messages may hold themselves, so its parts are shared and may form a circle. */
export function messageSchema(message: string): Schema | undefined {
  const types = fieldTypes(message);
  if (!types) return undefined;
  const known = built.get(message);
  if (known) return known;
  const schema: Schema = { type: 'object', nullable: true, properties: {} };
  built.set(message, schema);
  for (const type of types) {
    if (type.inline) Object.assign(schema.properties as object, messageSchema(type.type)?.properties);
    else (schema.properties as Record<string, Schema>)[type.name] = fieldOf(type);
  }
  return schema;
}

function fieldOf({ shape, type }: FieldType): Schema {
  const one = simple[type] ?? messageSchema(type) ?? {};
  if (shape === '[]') return { type: 'array', items: one, nullable: true };
  return shape === '{}' ? { type: 'object', additionalProperties: one, nullable: true } : one;
}
