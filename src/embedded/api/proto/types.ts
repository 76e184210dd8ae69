import { remembered } from '../memo.ts';
import type { Resource } from '../resources.ts';
import { messages } from './messages.ts';

/** One field of a message of the Kubernetes API. */
export interface FieldType {
  name: string;
  number: number;
  /** Empty for one value. */
  shape: '' | '[]' | '{}';
  /** A letter, a special type, or the name of a message. */
  type: string;
  /** JSON shows its fields as fields of its holder. */
  inline: boolean;
}

const lines = new Map(
  messages
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(' ')), line]),
);
const parsed = new Map<string, FieldType[]>();

/** The fields of a message; undefined where there is none of that name. */
export function fieldTypes(message: string): FieldType[] | undefined {
  const line = lines.get(message);
  return line === undefined ? undefined : remembered(parsed, message, () => line.split(' ').slice(1).map(field));
}

function field(text: string): FieldType {
  const [, caret, name = '', number, shape = '', type = ''] = /^(\^?)(\w+)=(\d+):(\[\]|\{\})?(.+)$/.exec(text) ?? [];
  return { name, number: Number(number), shape: shape as FieldType['shape'], type, inline: caret === '^' };
}

/** The message of a kind: `core.Pod`, `rbac.Role`. */
export const messageName = (group: string, kind: string): string => `${group.split('.')[0] || 'core'}.${kind}`;

export const messageOf = ({ group, kind }: Resource): string => messageName(group, kind);
