import { Counter, Gauge, Registry } from 'prom-client';
import { type RouterPolicy, vllmRouter } from '../../routers/vllm-router.ts';
import type { Worker } from './policy.ts';

const { metrics: names } = vllmRouter;

/** The router's own metrics; a labelled series appears with its first count, as the real exporter has it. */
export class RouterMetrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter(names.requests, 'Requests received by route', ['route']);
  readonly #errors = this.#counter(names.requestErrors, 'Requests that failed by route and type', [
    'route',
    'error_type',
  ]);
  readonly #processed = this.#counter(names.processed, 'Requests processed by worker', ['worker']);
  readonly #decisions = this.#counter(names.decisions, 'Choices of the policy', ['policy', 'worker']);
  readonly #running = this.#gauge(names.running, 'Requests running by worker', ['worker']);
  readonly #active = this.#gauge(names.activeWorkers, 'Workers that can be chosen', []);

  constructor() {
    this.#active.set(0);
  }

  received(route: string): void {
    this.#requests.inc({ route });
  }

  failed(route: string, kind: string): void {
    this.#errors.inc({ route, error_type: kind });
  }

  chose(policy: RouterPolicy, { url: worker }: Worker): void {
    this.#decisions.inc({ policy, worker });
    this.#processed.inc({ worker });
  }

  running({ url: worker, running }: Worker): void {
    this.#running.set({ worker }, running);
  }

  active(count: number): void {
    this.#active.set(count);
  }

  page(): Promise<string> {
    return this.#registry.metrics();
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }
}
