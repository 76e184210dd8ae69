import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Worker } from './policy.ts';

/** A request of a client, read whole, on its way to a worker. */
export interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  route: string;
  body: Buffer;
  requestId: string;
}

/** Sends passages to workers. */
export interface Sender {
  /** Chooses a worker by the policy, other than `but`; undefined where there is none. */
  choose(passage: Passage, but?: Worker): Worker | undefined;
  /** Sends a passage to a worker on a connection of its own; a client that hangs up closes it. */
  send(passage: Passage, worker: Worker, answered: (answer: IncomingMessage) => void): void;
}
