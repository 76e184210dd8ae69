/** A generation request that was found to be whole. */
export interface Generation {
  chat: boolean;
  stream: boolean;
  includeUsage: boolean;
  model: string | undefined;
  maxTokens: number;
  /** Ends with `stop` after so many tokens, where that comes before the limit. */
  stopAfter: number | undefined;
  promptTokens: number;
  /** The prompt's text, for the log. */
  prompt: string;
  /** The id that the client gave it in its body. */
  rid: string | undefined;
  /** Documented seconds. */
  tokenSeconds: number;
  kvWaitSeconds: number;
  /** Name of the queue in which it spends that wait; undefined: where such a request waits by itself. */
  waitsIn: string | undefined;
  /** Whether the other half of a split pair is to get its KV from here. */
  remoteDecode: boolean;
}

/** A request that is answered with an error of the OpenAI API. */
export class BadRequest extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  constructor(message: string, status = 400, type = 'BadRequestError', param: string | null = null) {
    super(message);
    this.status = status;
    this.type = type;
    this.param = param;
  }
}

/** Documented seconds from one token to the next where the request does not say. */
const DEFAULT_TOKEN_SECONDS = 0.25;
/** Default of `max_tokens` of both engines. */
const DEFAULT_MAX_TOKENS = 16;

type Body = Record<string, unknown>;

/**
 * Reads the body of a completion or chat completion. Beside OpenAI's fields it knows `quiesce`: `token_seconds`,
 * `kv_wait_seconds`, `waits_in` and `stop_after`, with which a load driver places a request in time.
 * @throws BadRequest with the message that the client is to get
 */
export function readGeneration(text: string, chat: boolean): Generation {
  const body = parse(text);
  const own = optional(body, 'quiesce', (value) => (isObject(value) ? value : undefined), 'an object') ?? {};
  const options = optional(body, 'stream_options', (v) => (isObject(v) ? v : undefined), 'an object') ?? {};
  const kv = body['kv_transfer_params'];
  const prompt = chat ? chatPrompt(body) : completionPrompt(body);
  const maxTokens =
    optional(body, 'max_completion_tokens', positiveInteger, 'a whole number of at least 1') ??
    optional(body, 'max_tokens', positiveInteger, 'a whole number of at least 1') ??
    DEFAULT_MAX_TOKENS;
  return {
    chat,
    stream: optional(body, 'stream', boolean, 'true or false') ?? false,
    includeUsage: options['include_usage'] === true,
    model: optional(body, 'model', string, 'a string'),
    maxTokens,
    stopAfter: optional(own, 'stop_after', positiveInteger, 'a whole number of at least 1'),
    prompt,
    promptTokens: Math.max(1, prompt.split(/\s+/).filter(Boolean).length),
    tokenSeconds: optional(own, 'token_seconds', seconds, 'a number of at least 0') ?? DEFAULT_TOKEN_SECONDS,
    kvWaitSeconds: optional(own, 'kv_wait_seconds', seconds, 'a number of at least 0') ?? 0,
    waitsIn: optional(own, 'waits_in', string, 'a string'),
    rid: optional(body, 'rid', string, 'a string'),
    remoteDecode: (isObject(kv) ? kv['do_remote_decode'] : undefined) === true,
  };
}

function parse(text: string): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new BadRequest(
      `[{'type': 'json_invalid', 'msg': 'JSON decode error', 'ctx': '${(error as Error).message}'}]`,
    );
  }
  if (!isObject(body)) throw new BadRequest('Input should be a valid dictionary');
  return body;
}

function completionPrompt(body: Body): string {
  const prompt = body['prompt'];
  if (prompt === undefined || prompt === null) throw missing('prompt');
  if (typeof prompt === 'string') return prompt;
  if (Array.isArray(prompt)) return prompt.map(String).join(' ');
  throw wrong('prompt', 'a string or a list');
}

function chatPrompt(body: Body): string {
  const messages = body['messages'];
  if (messages === undefined) throw missing('messages');
  if (!Array.isArray(messages) || !messages.every(isObject)) throw wrong('messages', 'a list of messages');
  return messages
    .map((m) => (typeof m['content'] === 'string' ? m['content'] : JSON.stringify(m['content'])))
    .join('\n');
}

function optional<T>(body: Body, name: string, read: (value: unknown) => T | undefined, wanted: string): T | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const found = read(value);
  if (found === undefined) throw wrong(name, wanted);
  return found;
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const boolean = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const string = (value: unknown) => (typeof value === 'string' ? value : undefined);
const positiveInteger = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 1 ? (value as number) : undefined;
const seconds = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

const missing = (field: string) =>
  new BadRequest(
    `1 validation error:\n  {'type': 'missing', 'loc': ('body', '${field}'), 'msg': 'Field required'}`,
    400,
    'Bad Request',
  );
const wrong = (field: string, wanted: string) =>
  new BadRequest(
    `1 validation error:\n  {'loc': ('body', '${field}'), 'msg': 'Input should be ${wanted}'}`,
    400,
    'Bad Request',
  );
