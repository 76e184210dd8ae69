import type { Seconds } from '../../time/scale.ts';
import type { Journal } from '../dynamo/journal.ts';
import type { Registration } from '../dynamo/record.ts';
import type { Program } from '../program.ts';
import type { Endpoint } from './endpoint.ts';

/** Documented seconds by which faults lengthen a wait. */
export const LONG: Seconds = 5;

/** What the end of a worker deals with. */
export interface Parts {
  program: Program;
  tell: Journal;
  endpoints: readonly Endpoint[];
  registration: Registration;
  /** Seconds of the document: the grace period, and the bound of the wait in the runtime. */
  grace: Seconds;
  timeout: Seconds;
  /** The line with which this component tells of a signal. */
  signalLine: (signal: NodeJS.Signals) => string;
  /** A further signal that ends a wait, which only a fault lets it do. */
  hurried: () => Promise<void>;
  /** The endpoints count as ready no longer. */
  withdraw: () => void;
  /** What the component does in the end. */
  cleanUp: () => Promise<void>;
}

/** Why discovery did not take what it was told; a worker goes on all the same. */
export const refusalOf = (told: Promise<void>): Promise<string | undefined> =>
  told.then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
