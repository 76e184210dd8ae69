import { badRequest, unsupportedMedia } from '../errors.ts';
import type { Fields } from '../objects.ts';
import { isFields } from '../objects.ts';
import { fieldTypes, messageName } from './types.ts';
import type { FieldType } from './types.ts';
import { readFields } from './wire.ts';
import type { WireField } from './wire.ts';

/** The media type in which Go clients write built-in kinds. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const MAGIC = Buffer.from('k8s\0');
/** Messages inside messages that are followed. */
const DEPTH_LIMIT = 64;
/** Numbers that Go writes as 0 where nobody set them, and that mean something else then. */
const zeroIsAbsent = new Set(['nodePort', 'hostPort', 'generation']);

/**
 * An object of a built-in kind from its protobuf form, as JSON would show it.
 * @throws ApiError 400 where the bytes are broken, 415 where the kind is not known in this form
 */
export function decodeProtobuf(body: Buffer): Fields {
  if (!body.subarray(0, 4).equals(MAGIC)) throw badRequest('provided data does not appear to be a protobuf message');
  try {
    const envelope = readFields(body.subarray(4));
    const inside = (fields: WireField[], number: number) => fields.find((f) => f.number === number)?.value ?? '';
    const typeMeta = inside(envelope, 1);
    const parts = Buffer.isBuffer(typeMeta) ? readFields(typeMeta) : [];
    const [apiVersion, kind] = [inside(parts, 1).toString(), inside(parts, 2).toString()];
    const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
    const name = kind === 'DeleteOptions' ? 'meta.DeleteOptions' : messageName(group, kind);
    if (!fieldTypes(name)) throw unsupportedMedia(['application/json', 'application/yaml']);
    const raw = inside(envelope, 2);
    return { apiVersion, kind, ...(Buffer.isBuffer(raw) ? message(raw, name, 0) : {}) };
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(`unable to decode protobuf: ${error.message}`);
    throw error;
  }
}

function message(bytes: Buffer, name: string, depth: number): Fields {
  if (depth > DEPTH_LIMIT) throw new RangeError('messages are nested too deeply');
  const types = new Map((fieldTypes(name) ?? []).map((type) => [type.number, type]));
  const result: Fields = {};
  for (const { number, value } of readFields(bytes)) {
    const type = types.get(number);
    if (type) put(result, type, value, depth);
  }
  return result;
}

function put(result: Fields, { name, shape, type, inline }: FieldType, wire: WireField['value'], depth: number): void {
  if (shape === '{}' && Buffer.isBuffer(wire)) {
    const entry = readFields(wire);
    const key = entry.find((f) => f.number === 1)?.value?.toString() ?? '';
    const held = entry.find((f) => f.number === 2)?.value;
    const map = isFields(result[name]) ? result[name] : (result[name] = {} as Fields);
    if (key !== '__proto__') map[key] = held === undefined ? '' : single(type, held, depth);
    return;
  }
  const value = single(type, wire, depth);
  if (value === undefined) return;
  if (shape === '[]') result[name] = [...((result[name] as unknown[] | undefined) ?? []), value];
  else if (inline && isFields(value)) Object.assign(result, value);
  // A text that nobody set is written empty.
  else if (value !== '' && !(value === 0 && zeroIsAbsent.has(name))) result[name] = value;
}

function single(type: string, wire: WireField['value'], depth: number): unknown {
  if (!Buffer.isBuffer(wire)) return type === 'b' ? wire !== 0 : wire;
  switch (type) {
    case 's':
      return wire.toString('utf8');
    case 'y':
      return wire.toString('base64');
    case 'n':
      return wire.length === 8 ? wire.readDoubleLE() : undefined;
    case 'quantity':
      return (
        readFields(wire)
          .find((f) => f.number === 1)
          ?.value?.toString() ?? '0'
      );
    case 'time':
      return time(wire)?.replace(/\.\d+Z$/, 'Z');
    case 'micro':
      return time(wire)?.replace('Z', '000Z');
    case 'intstr':
      return intOrString(wire);
    case 'any':
      return anything(wire);
    default:
      return message(wire, type, depth + 1);
  }
}

function time(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  const [seconds = 0, nanos = 0] = [1, 2].map((n) => Number(readFields(bytes).find((f) => f.number === n)?.value ?? 0));
  const ms = seconds * 1000 + nanos / 1e6;
  if (Math.abs(ms) > 8.64e15) throw new RangeError('time out of range');
  return new Date(ms).toISOString();
}

function intOrString(bytes: Buffer): number | string {
  const [kind = 0, number = 0, text = ''] = [1, 2, 3].map((n) => readFields(bytes).find((f) => f.number === n)?.value);
  return Number(kind) === 0 ? Number(number) : text.toString();
}

/** JSON inside a message. */
function anything(bytes: Buffer): unknown {
  const raw = readFields(bytes).find((f) => f.number === 1)?.value;
  if (!Buffer.isBuffer(raw)) return undefined;
  try {
    return JSON.parse(raw.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
