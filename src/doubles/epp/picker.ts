import type { Endpoint } from './endpoints.ts';
import type { Profile } from './profile.ts';

/** Characters of a prompt that share a place in a cache, and how many such places one replica is remembered to have. */
const BLOCK = 64;
const REMEMBERED = 4096;

/**
 * Chooses the endpoint of the highest score, one of the best by chance. The queue counts what this router has under way
 * there (the real one reads it from the engine every 50 ms), the prefix how much of a prompt was sent there before.
 */
export class Picker {
  readonly #profile: Profile;
  readonly #sent = new Map<string, Set<string>>();

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  pick(endpoints: readonly Endpoint[], prompt: string): Endpoint | undefined {
    if (endpoints.length === 0) return undefined;
    const blocks = prefixes(prompt);
    const { 'queue-scorer': queue = 0, 'prefix-cache-scorer': prefix = 0 } = this.#profile.weights;
    const most = Math.max(1, ...endpoints.map(({ running }) => running));
    const scored = endpoints.map((endpoint) => {
      const known = blocks.filter((block) => this.#sent.get(endpoint.id)?.has(block)).length;
      const score = queue * (1 - endpoint.running / most) + prefix * (known / Math.max(1, blocks.length));
      return { endpoint, score };
    });
    const best = Math.max(...scored.map(({ score }) => score));
    const candidates = scored.filter(({ score }) => score === best);
    const chosen = candidates[Math.floor(Math.random() * candidates.length)]?.endpoint;
    if (chosen) this.#remember(chosen, blocks);
    return chosen;
  }

  #remember({ id }: Endpoint, blocks: string[]): void {
    const sent = this.#sent.get(id) ?? new Set<string>();
    for (const block of blocks) sent.add(block);
    for (const old of sent) {
      if (sent.size <= REMEMBERED) break;
      sent.delete(old);
    }
    this.#sent.set(id, sent);
  }
}

/** The prompt up to the end of each block; a shorter prompt shares nothing. */
const prefixes = (prompt: string): string[] =>
  Array.from({ length: Math.floor(prompt.length / BLOCK) }, (_, i) => prompt.slice(0, (i + 1) * BLOCK));
