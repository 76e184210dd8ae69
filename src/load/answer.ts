import { isEventStream } from './outcome.ts';
import type { Observed } from './outcome.ts';
import { SseParser } from './sse.ts';
import { TokenAccount } from './tokens.ts';

/** Characters kept of an answer that is no event stream. */
const BODY_START = 300;

/** What is read of a chunk of `/v1/completions` or `/v1/chat/completions`. */
interface Frame {
  choices?: { text?: string; delta?: { content?: string | null }; finish_reason?: string | null }[];
  error?: { message?: string } | string;
}

/** Reads the answer to a completion request as its bytes arrive. */
export class Answer {
  readonly tokens = new TokenAccount();
  readonly #status: number;
  readonly #contentType: string | undefined;
  readonly #parser = new SseParser(({ event, data }) => this.#event(event, data));
  readonly #events: boolean;
  readonly #finishReasons = new Set<string>();
  #bodyStart = '';
  #done = false;
  #errorFrame: string | undefined;
  #unparsable = 0;

  constructor(status: number, contentType: string | undefined) {
    this.#status = status;
    this.#contentType = contentType;
    this.#events = status === 200 && isEventStream(contentType);
  }

  push(bytes: Buffer): void {
    if (this.#events) this.#parser.push(bytes);
    else if (this.#bodyStart.length < BODY_START) {
      this.#bodyStart = (this.#bodyStart + bytes.toString()).slice(0, BODY_START);
    }
  }

  /** What was seen of an answer to a request for `asked` tokens. */
  observed(asked: number): Omit<Observed, 'wire'> {
    return {
      status: this.#status,
      ...(this.#contentType === undefined ? {} : { contentType: this.#contentType }),
      bodyStart: this.#bodyStart,
      finishReasons: this.#finishReasons,
      done: this.#done,
      ...(this.#errorFrame === undefined ? {} : { errorFrame: this.#errorFrame }),
      unparsable: this.#unparsable,
      insideEvent: this.#parser.insideEvent,
      missing: this.tokens.missing(this.#finishReasons.has('length') ? asked : undefined),
      repeated: this.tokens.repeated,
    };
  }

  #event(event: string, data: string): void {
    if (data === '[DONE]') {
      this.#done = true;
      return;
    }
    let frame: Frame | null;
    try {
      frame = JSON.parse(data) as Frame | null;
    } catch {
      frame = null;
    }
    const { error } = frame ?? {};
    if (event === 'error' || error) {
      this.#errorFrame ??= (typeof error === 'string' ? error : error?.message) ?? data;
    } else if (!Array.isArray(frame?.choices)) {
      this.#unparsable += 1;
    } else {
      for (const choice of frame.choices) {
        this.tokens.add(choice.text ?? choice.delta?.content ?? '');
        if (choice.finish_reason) this.#finishReasons.add(choice.finish_reason);
      }
    }
  }
}
