import { randomInt } from 'node:crypto';

/** First address of 127.16.0.0/12 and how many it has. */
const BASE = 127 * 2 ** 24 + 16 * 2 ** 16;
const SIZE = 2 ** 20;

/**
 * Gives each Pod a loopback address of its own. Addresses are handed out in turn, so that one is used again only after a
 * million others; the start is random, so that clusters side by side on one machine do not meet.
 */
export class Addresses {
  readonly #taken = new Set<number>();
  #next: number;

  constructor(start: number = randomInt(SIZE)) {
    this.#next = start;
  }

  /** @throws Error where all addresses are taken */
  take(): string {
    for (let tries = 0; tries < SIZE; tries += 1) {
      const offset = this.#next;
      this.#next = (this.#next + 1) % SIZE;
      const last = offset % 256;
      if (last === 0 || last === 255 || this.#taken.has(offset)) continue;
      this.#taken.add(offset);
      return dotted(BASE + offset);
    }
    throw new Error('no free address in 127.16.0.0/12');
  }

  release(address: string): void {
    const [, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    this.#taken.delete((b - 16) * 65536 + c * 256 + d);
  }
}

const dotted = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join('.');
