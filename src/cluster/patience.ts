import { now } from '../time/clock.ts';
import { KubeError } from './errors.ts';

/** Milliseconds of the wall between two tries. */
const RETRY_MS = 100;

/** Milliseconds of the wall that an API server may take to start again: a static Pod's restart, with its probes, and more. */
const DEFAULT_MS = 15_000;

/** No connection came about: whatever was to be sent was not. */
const UNSENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The connection broke before the answer: what was sent may have been heeded. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Sends again what an API server that is away for a moment did not get. A write is sent again only where it never left; a read
 * also where its answer broke off. Once the patience was used up in vain nothing waits again until something is answered, so that
 * an API server that is gone for good is told soon.
 */
export class Patience {
  readonly #ms: number;
  #spent = false;

  constructor(ms = DEFAULT_MS) {
    this.#ms = ms;
  }

  /** @throws whatever the last try threw */
  async through<T>(method: string, attempt: () => Promise<T>): Promise<T> {
    const end = now() + this.#ms;
    for (;;) {
      try {
        const answer = await attempt();
        this.#spent = false;
        return answer;
      } catch (error) {
        if (this.#spent || !mayRepeat(method, error)) throw error;
        if (now() > end) {
          this.#spent = true;
          throw error;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function mayRepeat(method: string, error: unknown): boolean {
  if (!(error instanceof KubeError) || error.status !== 0) return false;
  const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return UNSENT.has(code) || (method === 'GET' && BROKEN.has(code));
}
