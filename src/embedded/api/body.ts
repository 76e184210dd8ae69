import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import { badRequest, tooLarge, unsupportedMedia } from './errors.ts';
import { isFields } from './objects.ts';
import type { Fields } from './objects.ts';
import { PROTOBUF, decodeProtobuf } from './proto/decode.ts';

/** The limit of a real API server for a request's body, in bytes. */
const BODY_LIMIT = 3 * 1024 * 1024;

/** @throws ApiError 413 where the body is larger than the API server's limit */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export const mediaType = (request: IncomingMessage): string =>
  (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';

/**
 * Nesting of a body at most. A real API server stops at 10000; what walks through objects here is recursive and its stack
 * ends before that, and no object that means anything comes near.
 */
const DEPTH_LIMIT = 500;

/** Whether a parsed body is nested deeper than the limit; walks level by level, not by recursion. */
function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_LIMIT) return true;
    level = level.flatMap((node) =>
      typeof node === 'object' && node !== null ? (Object.values(node) as unknown[]) : [],
    );
  }
  return false;
}

const yamlTypes = new Set(['application/yaml', 'application/apply-patch+yaml']);

/** @throws ApiError 400 where the body is neither JSON nor YAML, or nested too deep */
export function parseText(text: string, type: string): unknown {
  let value: unknown;
  try {
    value = yamlTypes.has(type) && !/^\s*[{[]/.test(text) ? parse(text) : JSON.parse(text);
  } catch (error) {
    throw badRequest(`error decoding the body of the request: ${(error as Error).message}`);
  }
  // Every level takes two characters at least: most bodies need no walk.
  if (text.length > 2 * DEPTH_LIMIT && tooDeep(value)) {
    throw badRequest(`error decoding the body of the request: exceeded max depth of ${DEPTH_LIMIT}`);
  }
  return value;
}

/**
 * The body of a create, an update or a delete as an object; undefined where there is none.
 * @throws ApiError 400 (malformed, or no object) or 415 (such as protobuf of a kind that is not built in)
 */
export function parseObject(body: Buffer, type: string): Fields | undefined {
  const known = ['application/json', 'application/yaml'];
  if (body.length === 0) return undefined;
  if (type === PROTOBUF) return decodeProtobuf(body);
  if (!known.includes(type)) throw unsupportedMedia(known);
  const value = parseText(body.toString('utf8'), type);
  if (!isFields(value)) throw badRequest('the body of the request must be an object');
  return value;
}
