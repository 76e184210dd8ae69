import { now } from '../time/clock.ts';
import { isStatus } from './errors.ts';
import type { KubeClient, KubeObject } from './rest.ts';

/** Milliseconds of the wall within which an API server has heard of what was created a moment ago. */
const HEARD_MS = 10_000;

/** Milliseconds of the wall from one try to the next. */
const RETRY_MS = 100;

interface Patience {
  /** Whether a refusal, by its message, is one that passes. */
  passes: (message: string) => boolean;
  /** Lets so many milliseconds go by. */
  pause: (ms: number) => Promise<unknown>;
}

/**
 * Creates an object, or tries it (`?dryRun=All`), that the API server refuses with 403 until its admission has heard of something
 * else by a watch of its own.
 * @throws KubeError of the refusal that does not pass, or of the last one
 */
export async function createOnceAllowed<T extends KubeObject>(
  client: KubeClient,
  path: string,
  object: object,
  { passes, pause }: Patience,
): Promise<T> {
  for (const from = now(); ; await pause(RETRY_MS)) {
    try {
      return await client.create<T>(path, object);
    } catch (error) {
      const early = isStatus(error, 403) && passes((error as Error).message);
      if (!early || now() - from > HEARD_MS) throw error;
    }
  }
}
