import type { IncomingHttpHeaders } from 'node:http';
import type { RouterPolicy } from '../../routers/vllm-router.ts';
import type { Passage } from './passage.ts';
import type { Worker } from './worker.ts';

/** Why a router answers for itself. */
export type Failure =
  | { kind: 'no-workers' }
  /** Refused, reset, closed or silent before an answer began. */
  | { kind: 'no-answer'; url: string }
  /** The body of an answer that was to be read whole stopped in its middle. */
  | { kind: 'cut'; url: string };

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Name of the failure in the router's metrics. */
  code: string;
}

/** In what vllm-router and sglang-gateway differ. */
export interface Manners {
  failure(failure: Failure): Reply;
  /** Whether a client's header goes on to the worker. */
  passesHeader(name: string): boolean;
  /** The body that goes on to the worker. */
  rewrite(passage: Passage): Buffer;
  /** Whether an answer counts for the worker's breaker as a failure. */
  fails(status: number): boolean;
  count: Counters;
}

export interface Counters {
  received(passage: Passage): void;
  chose(policy: RouterPolicy, worker: Worker, passage: Passage): void;
  running(worker: Worker): void;
  /** One attempt is over: with the worker's status, or with what the router made of it. */
  attempted(passage: Passage, status: number, code: string): void;
  retried(passage: Passage, exhausted: boolean): void;
  responded(passage: Passage, status: number, code: string, headers: IncomingHttpHeaders): void;
}
