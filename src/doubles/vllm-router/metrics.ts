import { Counter, Gauge, Registry } from 'prom-client';
import { type RouterPolicy, vllmRouter } from '../../routers/vllm-router.ts';
import type { Counters } from '../router/manners.ts';
import type { Passage } from '../router/passage.ts';
import type { Worker } from '../router/worker.ts';

const { metrics: names } = vllmRouter;

/** The router's own metrics; a labelled series appears with its first count, as the real exporter has it. */
export class RouterMetrics implements Counters {
  readonly registry = new Registry();
  readonly #requests = this.#counter(names.requests, 'Requests received by route', ['route']);
  readonly #errors = this.#counter(names.requestErrors, 'Requests that failed by route and type', [
    'route',
    'error_type',
  ]);
  readonly #retries = this.#counter(names.retries, 'Further attempts by route', ['route']);
  readonly #exhausted = this.#counter(names.retriesExhausted, 'Requests whose attempts were used up', ['route']);
  readonly #processed = this.#counter(names.processed, 'Requests processed by worker', ['worker']);
  readonly #decisions = this.#counter(names.decisions, 'Choices of the policy', ['policy', 'worker']);
  readonly #running = this.#gauge(names.running, 'Requests running by worker', ['worker']);
  readonly #active = this.#gauge(names.activeWorkers, 'Workers that can be chosen', []);

  constructor() {
    this.#active.set(0);
  }

  received({ route }: Passage): void {
    this.#requests.inc({ route });
  }

  chose(policy: RouterPolicy, { url: worker }: Worker): void {
    this.#decisions.inc({ policy, worker });
    this.#processed.inc({ worker });
  }

  running({ url: worker, running }: Worker): void {
    this.#running.set({ worker }, running);
  }

  attempted({ route }: Passage, status: number, code: string): void {
    if (code) this.#errors.inc({ route, error_type: code });
    else if (status >= 400) this.#errors.inc({ route, error_type: 'non_retryable_error' });
  }

  retried({ route }: Passage, exhausted: boolean): void {
    (exhausted ? this.#exhausted : this.#retries).inc({ route });
  }

  responded(): void {
    // vllm-router counts requests and attempts, not answers.
  }

  active(count: number): void {
    this.#active.set(count);
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
