import type { ServerResponse } from 'node:http';
import type { FinishReason } from './core.ts';
import type { Generation } from './request.ts';

/** Body of an error as vLLM's OpenAI API writes it. */
export const errorBody = (
  message: string,
  code: number,
  type = 'InternalServerError',
  param: string | null = null,
) => ({
  error: { message, type, param, code },
});

export const ENGINE_DEAD = 'EngineCore encountered an issue. See stack trace (above) for the root cause.';
export const AFTER_SHUTDOWN = 'cannot schedule new futures after shutdown';

/** How the answer to one generation is written: event by event, or whole at the end. */
export interface Answer {
  /** Writes what can be written before the first token. */
  begin(): void;
  tokens(first: number, last: number, finish: FinishReason | undefined): void;
  /** Tells the client that the engine died, in the form that vLLM has for it. */
  fail(): void;
}

/** The text of token `n`: numbered, so that a client can tell a missing one from a repeated one. */
const tokenText = (n: number): string => ` t${n}`;

const usage = (generation: Generation, tokens: number) => ({
  prompt_tokens: generation.promptTokens,
  total_tokens: generation.promptTokens + tokens,
  completion_tokens: tokens,
});

/** Stands in a template where something is to be filled in; no model or request id holds it. */
const HOLE = '\u0000';

/** Server-sent events: one a token, the last with its finish reason, `[DONE]`. */
export function streamAnswer(response: ServerResponse, generation: Generation, id: string, model: string): Answer {
  const { chat } = generation;
  const object = chat ? 'chat.completion.chunk' : 'text_completion';
  const head = { id, object, created: Math.floor(Date.now() / 1000), model };
  const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
  const choice = {
    index: 0,
    ...(chat ? { delta: { content: HOLE } } : { text: HOLE }),
    logprobs: null,
    finish_reason: HOLE,
    stop_reason: null,
  };
  const template = event({ ...head, choices: [choice], ...(generation.includeUsage ? { usage: null } : {}) });
  // Thousands of events differ in two places alone: the rest is put into JSON once.
  const [before, between, behind] = template.split(JSON.stringify(HOLE));
  const chunk = (text: string, finish: FinishReason | null) =>
    `${before}"${text}"${between}${finish === null ? 'null' : `"${finish}"`}${behind}`;
  return {
    begin() {
      if (!chat) return;
      const role = { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null };
      response.write(event({ ...head, choices: [role] }));
    },
    tokens(first, last, finish) {
      let events = '';
      for (let n = first; n < last; n += 1) events += chunk(tokenText(n), n === last - 1 ? (finish ?? null) : null);
      if (finish && first === last) events += chunk('', finish);
      if (!finish) {
        response.write(events);
        return;
      }
      if (generation.includeUsage) events += event({ ...head, choices: [], usage: usage(generation, last) });
      response.end(`${events}data: [DONE]\n\n`);
    },
    fail() {
      response.end(`${event(errorBody(ENGINE_DEAD, 500))}data: [DONE]\n\n`);
    },
  };
}

/** One JSON object once the last token is there. `respond` writes a status and a body. */
export function wholeAnswer(
  respond: (status: number, body: unknown) => void,
  generation: Generation,
  id: string,
  model: string,
): Answer {
  const { chat } = generation;
  return {
    begin: () => undefined,
    tokens(_first, last, finish) {
      if (!finish) return;
      const text = Array.from({ length: last }, (_, n) => tokenText(n)).join('');
      respond(200, {
        id,
        object: chat ? 'chat.completion' : 'text_completion',
        created: Math.floor(Date.now() / 1000),
        model,
        choices: [
          {
            index: 0,
            ...(chat ? { message: { role: 'assistant', content: text } } : { text }),
            logprobs: null,
            finish_reason: finish,
            stop_reason: null,
          },
        ],
        usage: usage(generation, last),
      });
    },
    fail: () => respond(500, errorBody(ENGINE_DEAD, 500)),
  };
}
