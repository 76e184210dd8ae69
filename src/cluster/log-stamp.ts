/** A node's stamp of a log line, comparable: RFC 3339 with up to nine digits of a second's fraction. */
export interface LogStamp {
  /** As the node wrote it. */
  text: string;
  /** Nanoseconds since 1970. */
  ns: bigint;
}

const STAMP = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2}) ?/;

/** Separates the stamp that `timestamps=true` puts before each line; undefined where there is none. */
export function splitStamp(text: string): { stamp: LogStamp | undefined; line: string } {
  const match = STAMP.exec(text);
  if (!match) return { stamp: undefined, line: text };
  const [whole, second = '', fraction = '', zone = ''] = match;
  const ms = Date.parse(second + zone);
  if (Number.isNaN(ms)) return { stamp: undefined, line: text };
  const ns = BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
  return { stamp: { text: whole.trimEnd(), ns }, line: text.slice(whole.length) };
}

/**
 * Tells lines that come again after a reconnect from new ones. A log is asked for from the second of the last line on, and
 * several lines may carry one stamp: as many of it as were seen before are dropped.
 */
export class LogCursor {
  #last: LogStamp | undefined;
  /** Lines seen with the last stamp. */
  #seen = 0;
  /** Lines of the last stamp that come again at first. */
  #toSkip = 0;

  /** Instant from which to ask, or undefined at the very beginning. */
  get since(): string | undefined {
    return this.#last && new Date(Number(this.#last.ns / 1_000_000_000n) * 1000).toISOString();
  }

  /** A new connection begins. */
  reopened(): void {
    this.#toSkip = this.#seen;
  }

  /** Whether this line is new. */
  take(stamp: LogStamp | undefined): boolean {
    if (!stamp) return true;
    if (!this.#last || stamp.ns > this.#last.ns) {
      this.#last = stamp;
      this.#seen = 1;
      this.#toSkip = 0;
      return true;
    }
    // Out of order lines of two streams (stdout, stderr) differ by less than a resume's distance: only a resume repeats.
    if (stamp.ns < this.#last.ns) return this.#toSkip === 0;
    if (this.#toSkip > 0) {
      this.#toSkip -= 1;
      return false;
    }
    this.#seen += 1;
    return true;
  }
}
