/** What a series of delays came to, in milliseconds; zeros where there was none. */
export interface DelaySummary {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

/** Below this many milliseconds a bucket is 0.1 ms wide, above it 1 ms, and from {@link LAST_MS} on there is one bucket. */
const FINE_MS = 100;
const LAST_MS = 10_000;
const FINE_BUCKETS = FINE_MS * 10;

/** Counts delays in fixed memory, however long the run: percentiles are upper edges of buckets, the maximum is exact. */
export class Delays {
  readonly #buckets = new Uint32Array(FINE_BUCKETS + LAST_MS - FINE_MS + 1);
  #count = 0;
  #max = 0;

  /** Adds one delay in milliseconds; a negative one counts as none. */
  add(ms: number): void {
    const delay = Math.max(0, ms);
    const bucket =
      delay < FINE_MS ? Math.floor(delay * 10) : FINE_BUCKETS + Math.floor(Math.min(delay, LAST_MS)) - FINE_MS;
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#count += 1;
    this.#max = Math.max(this.#max, delay);
  }

  /** The delay that at most `1 - share` of all exceed. */
  percentile(share: number): number {
    const rank = Math.ceil(this.#count * share);
    if (rank === 0) return 0;
    let seen = 0;
    for (let bucket = 0; bucket < this.#buckets.length; bucket += 1) {
      seen += this.#buckets[bucket] ?? 0;
      if (seen >= rank) return Math.min(this.#max, upperEdge(bucket));
    }
    return this.#max;
  }

  summary(): DelaySummary {
    return { count: this.#count, p50: this.percentile(0.5), p99: this.percentile(0.99), max: this.#max };
  }
}

const upperEdge = (bucket: number): number => {
  if (bucket < FINE_BUCKETS) return (bucket + 1) / 10;
  const ms = bucket - FINE_BUCKETS + FINE_MS;
  return ms === LAST_MS ? Infinity : ms + 1;
};
