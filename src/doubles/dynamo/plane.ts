/**
 * How the doubles of frontend and worker speak in place of Dynamo's request plane over TCP: the frontend posts a request to
 * the address of the record, the endpoint's name for its path; the worker answers with one JSON object a line. Nobody else
 * sees any of it.
 */
export const pathOf = (endpoint: string): string => `/${endpoint}`;

/** What the frontend asks for. Times are milliseconds of the wall. */
export interface Order {
  tokens: number;
  tokenMs: number;
  /** Only the prefill: one token after so long, for the other half to go on from. */
  prefill?: boolean;
}

/** A line of the answer: tokens `first` to `last - 1` are there, the last of them with `finish`; or the work was given up. */
export type Piece = { first: number; last: number; finish?: 'length' | 'stop' } | { cancelled: true };
