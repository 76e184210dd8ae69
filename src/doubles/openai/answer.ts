import type { ServerResponse } from 'node:http';
import type { FinishReason } from './core.ts';
import type { Dialect } from './dialect.ts';
import type { Generation } from './request.ts';

/** How the answer to one generation is written: event by event, or whole at the end. */
export interface Answer {
  /** Writes what can be written before the first token. */
  begin(): void;
  tokens(first: number, last: number, finish: FinishReason | undefined): void;
  /** Tells the client that the engine died, in the form that its server has for it. */
  fail(): void;
}

/** Under which names an answer is given, and in which dialect of the API. */
export interface Identity {
  id: string;
  model: string;
  dialect: Pick<Dialect, 'choice' | 'dead' | 'whole'>;
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
export function streamAnswer(
  response: ServerResponse,
  generation: Generation,
  { id, model, dialect }: Identity,
): Answer {
  const { chat } = generation;
  const object = chat ? 'chat.completion.chunk' : 'text_completion';
  const head = { id, object, created: Math.floor(Date.now() / 1000), model };
  const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
  const choice = {
    index: 0,
    ...(chat ? { delta: { content: HOLE } } : { text: HOLE }),
    logprobs: null,
    finish_reason: HOLE,
    ...dialect.choice,
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
      response.end(`${event(dialect.dead)}data: [DONE]\n\n`);
    },
  };
}

/** One JSON object once the last token is there. `respond` writes a status and a body. */
export function wholeAnswer(
  respond: (status: number, body: unknown) => void,
  generation: Generation,
  { id, model, dialect }: Identity,
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
            ...dialect.choice,
          },
        ],
        usage: usage(generation, last),
        ...dialect.whole?.(generation),
      });
    },
    fail: () => respond(500, dialect.dead),
  };
}
