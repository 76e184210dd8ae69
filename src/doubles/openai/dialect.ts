import type { IncomingMessage } from 'node:http';
import type { FinishReason } from './core.ts';
import type { GaugeMode } from './metrics.ts';
import type { BadRequest, Generation } from './request.ts';

/** How many jobs are in a state of the core. */
export type Count = (state: string) => number;

/** What one engine's server says differently from another's, over the same API. */
export interface Dialect {
  /** Fields of every choice that only this server has. */
  choice: Record<string, unknown>;
  /** Fields of a whole answer that only this server has. */
  whole?: (generation: Generation) => Record<string, unknown>;
  /** Body of the error that tells of a dead engine. */
  dead: unknown;
  errorBody: (problem: BadRequest) => unknown;
  modelCard: (model: string) => Record<string, unknown>;
  /** The id of a request, from what the client gave. */
  idOf: (generation: Generation, request: IncomingMessage) => string;
  /** Queues in which it waits before it runs, and after it has its tokens; milliseconds of the wall in all: `waitMs`. */
  waits: (generation: Generation, waitMs: number) => Waits;
  /** @throws BadRequest where it takes none now */
  admit?: () => void;
  received: (generation: Generation, id: string) => void;
  metrics: {
    finished: (reason: FinishReason, promptTokens: number, tokens: number) => void;
    page: (count: Count, mode: GaugeMode) => Promise<string>;
  };
}

export interface Waits {
  before: Wait[];
  after: Wait[];
}

export interface Wait {
  in: string;
  ms: number;
}
