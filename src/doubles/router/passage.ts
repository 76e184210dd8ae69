import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request of a client, read whole, on its way to a worker. */
export interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  route: string;
  body: Buffer;
  /** Whether the client asked for a stream: such an answer goes through as it comes, any other is read whole first. */
  streams: boolean;
  model: string;
  /** Text by which a policy tells prompts apart. */
  prompt: string;
  requestId: string;
}

/** What comes of a request: an answer that begins, or none. */
export interface Answered {
  answer: (answer: IncomingMessage) => void;
  none: (error: Error) => void;
}

const prefixes: Record<string, string> = { '/v1/completions': 'cmpl-', '/v1/chat/completions': 'chatcmpl-' };

/** Reads a request; undefined where the client hung up before it was whole. */
export async function readPassage(request: IncomingMessage, response: ServerResponse): Promise<Passage | undefined> {
  const route = (request.url ?? '/').split('?')[0] ?? '/';
  const body = await readWhole(request);
  if (body === undefined) return undefined;
  const given = request.headers['x-request-id'];
  const asked = parsed(body);
  return {
    ...{ request, response, route, body },
    streams: asked.stream === true,
    model: typeof asked.model === 'string' ? asked.model : 'unknown',
    prompt: JSON.stringify(asked.prompt ?? asked.messages ?? ''),
    requestId:
      typeof given === 'string' && given ? given : `${prefixes[route] ?? 'req-'}${randomBytes(12).toString('hex')}`,
  };
}

interface Asked {
  stream?: unknown;
  model?: unknown;
  prompt?: unknown;
  messages?: unknown;
}

function parsed(body: Buffer): Asked {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The whole body; undefined where the other side hung up before it was there. */
export function readWhole(message: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    message.on('data', (part: Buffer) => parts.push(part));
    message.on('end', () => resolve(message.complete ? Buffer.concat(parts) : undefined));
    message.on('error', () => resolve(undefined));
    message.on('close', () => resolve(undefined));
  });
}
