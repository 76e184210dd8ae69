import { randomInt } from 'node:crypto';

/** Where the Pods of an embedded cluster have their addresses: loopback, which every Linux lets anybody bind. */
const LOOPBACK_RANGE = '127.16.0.0/12';

/** A range of addresses that cannot be used. */
export class AddressRangeError extends Error {
  readonly code = 'QUIESCE_ADDRESS_RANGE';
  constructor(range: string) {
    super(`address range "${range}": expected an IPv4 range of 8 to 24 bits, such as 10.250.0.0/16`);
    this.name = 'AddressRangeError';
  }
}

/**
 * Gives each Pod an address of its own. Addresses are handed out in turn, so that one is used again only after all others; the
 * start is random, so that clusters side by side on one machine do not meet.
 */
export class Addresses {
  readonly #range: string;
  readonly #base: number;
  readonly #size: number;
  readonly #taken = new Set<number>();
  #next: number;

  /** @throws AddressRangeError */
  constructor(range = LOOPBACK_RANGE, start?: number) {
    const [, a, b, c, d, bits] = (/^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(range) ?? []).map(Number);
    const parts = [a, b, c, d].map((part) => part ?? 256);
    if (parts.some((part) => part > 255) || bits === undefined || bits < 8 || bits > 24) {
      throw new AddressRangeError(range);
    }
    this.#range = range;
    this.#size = 2 ** (32 - bits);
    const number = parts.reduce((all, part) => all * 256 + part, 0);
    this.#base = number - (number % this.#size);
    this.#next = start ?? randomInt(this.#size);
  }

  /** @throws Error where all addresses are taken */
  take(): string {
    for (let tries = 0; tries < this.#size; tries += 1) {
      const offset = this.#next;
      this.#next = (this.#next + 1) % this.#size;
      const last = offset % 256;
      if (last === 0 || last === 255 || this.#taken.has(offset)) continue;
      this.#taken.add(offset);
      return dotted(this.#base + offset);
    }
    throw new Error(`no free address in ${this.#range}`);
  }

  release(address: string): void {
    this.#taken.delete(address.split('.').reduce((all, part) => all * 256 + Number(part), 0) - this.#base);
  }
}

const dotted = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join('.');
