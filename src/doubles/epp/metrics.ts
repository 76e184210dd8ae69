import { Counter, Gauge, Registry } from 'prom-client';
import { llmdRouter } from '../../routers/llm-d-router.ts';
import type { Endpoint } from './endpoints.ts';

const { metrics: names } = llmdRouter;

/** Metrics of the picker, as far as someone reads them; `name` is the pool's. */
export class PickerMetrics {
  readonly registry = new Registry();
  readonly #pool: string;
  readonly #requests = this.#counter(names.requests, 'Requests by model', ['model_name', 'target_model_name']);
  readonly #errors = this.#counter(names.errors, 'Requests that failed', [
    ...['model_name', 'target_model_name', 'error_code'],
  ]);
  readonly #running = this.#gauge(names.running, 'Requests under way', ['model_name']);
  readonly #ready = this.#gauge(names.ready, 'Endpoints that are ready', ['name']);
  readonly #queue = this.#gauge(names.queue, 'Requests queued by endpoint', ['name', 'model_server_endpoint']);
  readonly #attempts = this.#counter(names.attempts, 'Attempts of the scheduler', ['status']);
  readonly #picks = this.#counter(names.picks, 'Choices by Pod', [
    ...['namespace', 'pod_name', 'port', 'status', 'target_model_name'],
  ]);

  constructor(pool: string) {
    this.#pool = pool;
  }

  endpoints(all: readonly Endpoint[]): void {
    this.#ready.set({ name: this.#pool }, all.length);
    this.#queue.reset();
    for (const { pod } of all) this.#queue.set({ name: this.#pool, model_server_endpoint: pod }, 0);
  }

  picked({ id, pod, port }: Endpoint, model: string): void {
    const [namespace = ''] = id.split('/');
    this.#requests.inc({ model_name: model, target_model_name: model });
    this.#attempts.inc({ status: 'success' });
    this.#picks.inc({
      ...{ namespace, pod_name: pod, port: String(port), status: 'success', target_model_name: model },
    });
  }

  failed(model: string, code: string): void {
    this.#attempts.inc({ status: 'failure' });
    this.#errors.inc({ model_name: model, target_model_name: model, error_code: code });
  }

  running(model: string, by: 1 | -1): void {
    this.#running.inc({ model_name: model }, by);
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
