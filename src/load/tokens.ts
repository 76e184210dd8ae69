/** Tokens as a double of an engine writes them, numbered within their request: ` t1`, ` t2`, … */
const NUMBERED = /(?:^| )t(\d+)(?![^ ])/g;

/**
 * Counts the tokens of one stream. A double numbers them, so that a missing or repeated one shows. In the stream of a real
 * engine each chunk with text counts as one, and nothing can be told missing or repeated, even if some text looks numbered.
 */
export class TokenAccount {
  readonly #seen = new Set<number>();
  #plain = 0;
  #repeats = 0;
  #lowest = Infinity;
  #highest = -Infinity;

  /** Takes the text of one chunk. */
  add(text: string): void {
    if (text === '') return;
    let numbered = false;
    for (const [, digits] of text.matchAll(NUMBERED)) {
      numbered = true;
      const n = Number(digits);
      if (this.#seen.has(n)) this.#repeats += 1;
      this.#seen.add(n);
      this.#lowest = Math.min(this.#lowest, n);
      this.#highest = Math.max(this.#highest, n);
    }
    if (!numbered) this.#plain += 1;
  }

  /** Tokens that came; a repeated one counts once. */
  get received(): number {
    return this.#seen.size + this.#plain + (this.#plain > 0 ? this.#repeats : 0);
  }

  get repeated(): number {
    return this.#plain > 0 ? 0 : this.#repeats;
  }

  /** Numbers that never came: below the highest one that did, or of all `expected` where the stream claims to be whole. */
  missing(expected: number | undefined): number {
    if (this.#plain > 0) return 0;
    const first = Math.min(this.#lowest, 1); // a double may count from 0
    const span = this.#seen.size === 0 ? 0 : this.#highest - first + 1;
    return Math.max(0, Math.max(span, expected ?? 0) - this.#seen.size);
  }
}
