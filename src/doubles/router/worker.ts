import type { Breaker } from './breaker.ts';

/** A replica that a router knows. */
export interface Worker {
  /** Opaque; another one each time the replica enters. */
  id: string;
  url: string;
  address: string;
  port: number;
  /** Requests that it is answering for this router. */
  running: number;
  /** What the health checks say. */
  healthy: boolean;
  breaker: Breaker;
}

/** Whether a new request may go there. */
export const inSelection = (worker: Worker): boolean => worker.healthy && worker.breaker.letsPass;
