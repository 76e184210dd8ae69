import { StringDecoder } from 'node:string_decoder';

/** One server-sent event. */
export interface ServerSentEvent {
  /** Its `event` field; empty where it has none. */
  event: string;
  data: string;
}

/**
 * Reads `text/event-stream` as it arrives: pieces may be split anywhere, inside a character and between CR and LF too.
 * Like every reader of the format it hands over an event at its blank line, and never one that was cut before that.
 */
export class SseParser {
  readonly #onEvent: (event: ServerSentEvent) => void;
  readonly #decoder = new StringDecoder('utf8');
  #line = '';
  #data: string | undefined;
  #event = '';
  #afterCr = false;
  #started = false;

  constructor(onEvent: (event: ServerSentEvent) => void) {
    this.#onEvent = onEvent;
  }

  push(bytes: Buffer): void {
    let text = this.#decoder.write(bytes);
    if (text === '') return;
    if (!this.#started) {
      this.#started = true;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    let from = 0;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      const afterCr = this.#afterCr;
      this.#afterCr = code === CR;
      if (code !== LF && code !== CR) continue;
      if (!(code === LF && afterCr)) this.#endLine(this.#line + text.slice(from, i));
      this.#line = '';
      from = i + 1;
    }
    this.#line += text.slice(from);
  }

  /** Whether an event was begun and not ended: a stream that closes now was cut inside it. */
  get insideEvent(): boolean {
    return this.#line !== '' || this.#data !== undefined || this.#event !== '';
  }

  #endLine(line: string): void {
    if (line === '') {
      if (this.#data !== undefined) this.#onEvent({ event: this.#event, data: this.#data });
      this.#data = undefined;
      this.#event = '';
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? '' : line.slice(colon + 1);
    if (value.startsWith(' ')) value = value.slice(1);
    if (field === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (field === 'event') this.#event = value;
    // Comments (an empty field), `id`, `retry` and unknown fields say nothing of how a request ends.
  }
}

const LF = 10;
const CR = 13;
