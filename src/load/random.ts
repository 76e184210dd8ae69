/** Numbers in [0, 1), the same ones for the same seed on every machine. */
export type Random = () => number;

/**
 * A small seeded generator (mulberry32). `stream` makes independent sequences of one seed, so that a further load in a
 * scenario leaves the instants of the others as they were.
 */
export function seededRandom(seed: number, stream = ''): Random {
  let state = (Math.imul(seed | 0, 0x9e3779b1) ^ fnv1a(stream)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a over the UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
